#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How reliably `deadheat hunt` finds the hidden races of tests/jvm/hunt, against plain runs, ConTest and the controlled scheduler.

For each program: --hunts hunts of -n runs each, every one from nothing (a state folder of its own) and with seeds of its own, and --others
runs of each other strategy. With --until-found a hunt ends with the run by which every race is found: it goes on run by run (`hunt -n 1`
again and again, which continues with what is known), so that a hundred hunts take a fifth of the time. Prints a Markdown table: hunts
that found every race, runs that found one, by strategy, and thrashing. How far it is goes to stderr.
"""

import argparse
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys

# Program, arguments, the fields with a race.
PROGRAMS = [
    ("Figure2", [], {"x", "y"}),
    ("Figure2", ["2", "60"], {"x", "y"}),
    ("Figure2", ["30", "250"], {"x", "y"}),
    ("Figure2", ["inside"], {"x", "y"}),
    ("Ledger", [], {"booking"}),
    ("Registry", [], {"newest"}),
    ("Settings", [], {"version"}),
    ("Dispatch", [], {"parcel"}),
    ("Stages", [], {"page"}),
]


def hunt(args, folder, program, words, *options):
    """The fields with a race, and for each run by strategy the number of its races, holds and thrashing."""
    (folder / ".deadheat").mkdir(parents=True, exist_ok=True)
    side_by_side = ["--jobs", str(args.jobs)] if args.jobs else []
    command = [args.deadheat, "hunt", "--json", "races.json", *side_by_side, *options, "--", args.java, "-cp", args.classes, f"hunt.{program}", *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=3600)
    if done.returncode not in (0, 66):
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    fields = {race["variable"].get("field", "[]") for race in json.loads((folder / "races.json").read_text())["races"]}
    database = sqlite3.connect(folder / ".deadheat" / "deadheat.db")
    runs = database.execute("SELECT strategy, races, holds, thrashing FROM hunted_runs").fetchall()
    database.close()
    return fields, [(strategy, len(json.loads(races)), holds, thrashing) for strategy, races, holds, thrashing in runs]


def hunt_until_found(args, folder, program, words, wanted, seed):
    """The same of hunts of one run each, until every race is found or there were -n of them."""
    fields, runs = set(), []
    for i in range(args.n):
        found, runs = hunt(args, folder, program, words, "-n", "1", "--seed", str(seed + i))
        fields |= found
        if fields >= wanted:
            break
    return fields, runs


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--java", default="java")
    parser.add_argument("--deadheat", required=True)
    parser.add_argument("--classes", required=True, help="folder of the compiled programs")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="emptied first")
    parser.add_argument("--hunts", type=int, default=100)
    parser.add_argument("-n", type=int, default=10, help="runs of each hunt")
    parser.add_argument("--others", type=int, default=100, help="runs of each other strategy")
    parser.add_argument("--strategies", nargs="*", default=["native", "contest", "pct", "pos", "random"], help="the others")
    parser.add_argument("--jobs", type=int, help="runs side by side")
    parser.add_argument("--until-found", action="store_true", help="end a hunt when it has found everything")
    parser.add_argument("--programs", nargs="+", help="only these: Figure2, or \"Figure2 2 60\" for one of its rows (\"Figure2 \" for the one without arguments)")
    args = parser.parse_args()
    args.deadheat, args.classes = str(pathlib.Path(args.deadheat).resolve()), str(pathlib.Path(args.classes).resolve())
    shutil.rmtree(args.work, ignore_errors=True)
    print(f"| program | hunts that found all | hunted runs with a race | {' | '.join(args.strategies)} | thrashing |", flush=True)
    print("|---" * (4 + len(args.strategies)) + "|", flush=True)
    for number, (program, words, wanted) in enumerate(PROGRAMS):
        if args.programs and not {program, f"{program} {' '.join(words)}"} & set(args.programs):
            continue
        found, runs, needed = 0, [], []
        for i in range(args.hunts):
            folder, seed = args.work / f"{number}-{i}", i * args.n + 1
            if args.until_found:
                fields, hunted = hunt_until_found(args, folder, program, words, wanted, seed)
            else:
                fields, hunted = hunt(args, folder, program, words, "-n", str(args.n), "--seed", str(seed))
            if fields - wanted:
                sys.exit(f"{program}: races on {sorted(fields - wanted)}")
            found += fields == wanted
            runs += hunted
            needed.append(len(hunted))
            print(f"{' '.join([program, *words])}: {found} of {i + 1} hunts found all, {sum(needed)} runs, at most {max(needed)}",
                  file=sys.stderr, flush=True)
        others = []
        if args.strategies and args.others:
            chosen = [word for name in args.strategies for word in ("--strategy", name)]
            fields, others = hunt(args, args.work / f"{number}-others", program, words, "-n", str(args.others), *chosen)
            if fields - wanted:
                sys.exit(f"{program}: races on {sorted(fields - wanted)}")
        racy = [f"{sum(1 for run in others if run[0] == name and run[1])} of {args.others}" for name in args.strategies]
        holds, thrashing = sum(run[2] for run in runs), sum(run[3] for run in runs)
        rate = f"{100 * thrashing / holds:.0f} %" if holds else "-"
        print(f"| {' '.join([program, *words])} | {found} of {args.hunts} | {sum(1 for run in runs if run[1])} of {len(runs)} | {' | '.join(racy)} | {rate} |",
              flush=True)


if __name__ == "__main__":
    main()
