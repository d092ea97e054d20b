#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs deadheat hunt on the programs of this folder and checks that their hidden races are found, and told with what exposed them.

A single run of a hunt finds them nearly always (docs/hunt.md has the numbers); a hunt here has six.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

RUNS = "6"
PROGRAMS = [
    (["Figure2"], {"x", "y"}),
    (["Figure2", "inside"], {"x", "y"}),
    (["Ledger"], {"booking"}),
    (["Registry"], {"newest"}),
    (["Settings"], {"version"}),
    (["Dispatch"], {"parcel"}),
    (["Stages"], {"page"}),
]


def check(args, words, wanted):
    """What is wrong, or an empty text; and the output."""
    folder = args.work / "-".join(words)
    (folder / ".deadheat").mkdir(parents=True)
    command = [args.deadheat, "hunt", "-n", RUNS, "--json", "races.json", "--", args.java, "-cp", args.classes, f"hunt.{words[0]}", *words[1:]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, cwd=folder)
    log = f"$ {' '.join(command)}\n{done.stdout}{done.stderr}status {done.returncode}\n"
    if done.returncode != 66:
        return f"status {done.returncode}", log
    races = json.loads((folder / "races.json").read_text())["races"]
    found = {race["variable"].get("field") for race in races}
    if found != wanted:
        return f"races on {sorted(map(str, found))}, not on {sorted(wanted)}", log
    for race in races:
        if race["hunt"]["strategy"] != "drfinder" or not race["hunt"]["reversed"]:
            return f"{race['id']} does not say what exposed it", log
    return "", log


def crossed(args):
    """The deadlock that the reversed order leads to is the program's own, and told."""
    folder = args.work / "Crossed"
    (folder / ".deadheat").mkdir(parents=True)
    command = [args.deadheat, "hunt", "-n", "5", "--", args.java, "-cp", args.classes, "hunt.Crossed"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, cwd=folder)
    log = f"$ {' '.join(command)}\n{done.stdout}{done.stderr}status {done.returncode}\n"
    told = "a deadlock of its own" in done.stderr and 'thread "left first" at hunt.Crossed.leftFirst (Crossed.java:' in done.stderr
    return ("" if done.returncode == 66 and told else "the deadlock is not told"), log


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--java", required=True)
    parser.add_argument("--deadheat", required=True)
    parser.add_argument("--classes", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="emptied first")
    parser.add_argument("--programs", nargs="+", help="only these")
    args = parser.parse_args()
    shutil.rmtree(args.work, ignore_errors=True)
    failures = 0
    checks = [(words, lambda words=words, wanted=wanted: check(args, words, wanted)) for words, wanted in PROGRAMS]
    checks.append((["Crossed"], lambda: crossed(args)))
    for words, make in checks:
        if args.programs and words[0] not in args.programs:
            continue
        wrong, log = make()
        print(f"{' '.join(words)}: {wrong or 'ok'}")
        if wrong:
            failures += 1
            print(log)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
