#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How reliably `deadheat hunt` finds the hidden races of tests/jvm/hunt, against plain runs and ConTest.

For each program: --hunts hunts of -n runs each, every one from nothing (a state folder of its own), and as many native and ConTest runs
as all these hunts have runs together. Prints a Markdown table: hunts that found every race, runs that found one, thrashing.
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
    (folder / ".deadheat").mkdir(parents=True)
    command = [args.deadheat, "hunt", "--json", "races.json", *options, "--", args.java, "-cp", args.classes, f"hunt.{program}", *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=3600)
    if done.returncode not in (0, 66):
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    fields = {race["variable"].get("field", "[]") for race in json.loads((folder / "races.json").read_text())["races"]}
    database = sqlite3.connect(folder / ".deadheat" / "deadheat.db")
    runs = database.execute("SELECT strategy, races, holds, thrashing FROM hunted_runs").fetchall()
    database.close()
    return fields, [(strategy, len(json.loads(races)), holds, thrashing) for strategy, races, holds, thrashing in runs]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--java", default="java")
    parser.add_argument("--deadheat", required=True)
    parser.add_argument("--classes", required=True, help="folder of the compiled programs")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="emptied first")
    parser.add_argument("--hunts", type=int, default=100)
    parser.add_argument("-n", type=int, default=10, help="runs of each hunt")
    parser.add_argument("--programs", nargs="+", help="only these")
    args = parser.parse_args()
    args.deadheat, args.classes = str(pathlib.Path(args.deadheat).resolve()), str(pathlib.Path(args.classes).resolve())
    shutil.rmtree(args.work, ignore_errors=True)
    print("| program | hunts that found all | hunted runs with a race | native | ConTest | thrashing |\n|---|---|---|---|---|---|", flush=True)
    for number, (program, words, wanted) in enumerate(PROGRAMS):
        if args.programs and program not in args.programs:
            continue
        found, runs = 0, []
        for i in range(args.hunts):
            fields, hunted = hunt(args, args.work / f"{number}-{i}", program, words, "-n", str(args.n))
            if fields - wanted:
                sys.exit(f"{program}: races on {sorted(fields - wanted)}")
            found += fields == wanted
            runs += hunted
        total = args.hunts * args.n
        _, others = hunt(args, args.work / f"{number}-others", program, words, "-n", str(total), "--strategy", "native", "--strategy", "contest")
        racy = {name: sum(1 for run in others if run[0] == name and run[1]) for name in ("native", "contest")}
        holds, thrashing = sum(run[2] for run in runs), sum(run[3] for run in runs)
        rate = f"{100 * thrashing / holds:.0f} %" if holds else "-"
        print(f"| {' '.join([program, *words])} | {found} of {args.hunts} | {sum(1 for run in runs if run[1])} of {total} | {racy['native']} of {total} "
              f"| {racy['contest']} of {total} | {rate} |", flush=True)


if __name__ == "__main__":
    main()
