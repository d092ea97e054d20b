#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of tests/jvm/papers under each detector and compares the fields it reports with expect.txt."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

PACKAGE = "semantics"
UNSAFE_OPTION_SINCE = 23  # silences the warning that sun.misc.Unsafe prints from JDK 24 on


def expectations(path):
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            program, detector, order, fields = [part.strip() for part in line.split("|")]
            yield program, detector, order, set(fields.split())


def findings(folder):
    for path in folder.glob("jvm-*/records.jsonl"):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            if record["type"] == "race":
                yield record


def concerns(race, program):
    """Whether a race is the program's: one of its fields, or one inside a collection that it uses."""
    frames = [frame for access in race["accesses"] for frame in access["stack"]]
    return any(name.startswith(f"{PACKAGE}.{program}") for name in [race["variable"].get("class", ""), *(f["class"] for f in frames)])


def check(args, number, program, detector, order, expected):
    """What is wrong, or ""."""
    folder = args.work / str(number)
    options = [f"-agentpath:{args.agent}=dir={folder / 'run'},engine={detector}"]
    if args.jdk >= UNSAFE_OPTION_SINCE:
        options.append("--sun-misc-unsafe-memory-access=allow")
    done = subprocess.run([args.java, *options, "-cp", ":".join(args.classes), f"{PACKAGE}.{program}", order],
                          capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        return f"exit status {done.returncode}: {done.stdout}{done.stderr}"
    own = [race for race in findings(folder / "run") if concerns(race, program)]
    fields = {race["variable"].get("field", "[]") for race in own}
    if fields != expected:
        return f"reported {sorted(fields)}, not {sorted(expected)}"
    if any(race.get("detector", "detect") != detector for race in own):
        return "a finding does not name its detector"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--java", required=True)
    parser.add_argument("--jdk", type=int, required=True, help="its major version")
    parser.add_argument("--agent", required=True, help="libdeadheat.so")
    parser.add_argument("--classes", nargs="+", required=True)
    parser.add_argument("--expect", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="emptied first")
    args = parser.parse_args()
    shutil.rmtree(args.work, ignore_errors=True)
    failures = 0
    for number, row in enumerate(expectations(args.expect)):
        wrong = check(args, number, *row)
        if wrong:
            failures += 1
            print(f"FAIL {' '.join(row[:3])}: {wrong}\n  folder: {args.work / str(number)}")
    print(f"{number + 1} runs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
