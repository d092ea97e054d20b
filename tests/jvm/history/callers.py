#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that of several lists that race at the same lines of the JDK all are told of: one with its stacks, the others by the places of the program that use them.
Runs Callers.java. The id of the race is the same in every run."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from checks import arguments_of, report

EXPECTED = ["give", "order", "orderElsewhere", "user"]
TIMES = 5  # each list of Callers, and one of them twice


def check(arguments, name, vm):
    """Whether it is as it should be, and the ids of the races."""
    folder = Path(arguments.work) / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [arguments.java, "-Xverify:all", *vm, f"-agentpath:{arguments.agent}=dir={folder}", "-cp", arguments.classes, "history.Callers"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    problems = [] if done.returncode == 0 else [f"status {done.returncode}", done.stdout, done.stderr]
    records = [json.loads(line) for file in folder.glob("jvm-*/records.jsonl") for line in file.read_text().splitlines()]
    races = [r for r in records if r["type"] == "race" and r["variable"].get("field") == "modCount"]
    last = [r for r in records if r["type"] == "race_counts"][-1]
    if len(races) != 1:
        problems.append(f"{len(races)} races of modCount")
    for race in races:
        places = [place["method"] for place in last["places"].get(race["id"], [])]
        if sorted(places) != EXPECTED:
            problems.append(f"{race['id']}: from {sorted(places)}, not from {EXPECTED}")
        if last["counts"].get(race["id"]) != TIMES:
            problems.append(f"{race['id']}: seen {last['counts'].get(race['id'])} times, not {TIMES}")
    return report(name, problems, " ".join(command)), sorted(race["id"] for race in races)


def main():
    arguments = arguments_of(__doc__)
    good, ids = zip(check(arguments, "mixed", []), check(arguments, "interpreted", ["-Xint"]), check(arguments, "compiled", ["-Xcomp"]))
    if len(set(map(tuple, ids))) != 1:
        print(f"the ids differ: {ids}")
    sys.exit(0 if all(good) and len(set(map(tuple, ids))) == 1 else 1)


if __name__ == "__main__":
    main()
