#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the stacks of previous accesses line by line: runs Stacks.java and compares each with what its comments say."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from checks import arguments_of, report

SOURCE = Path(__file__).resolve().parent / "Stacks.java"

# By field: the frames of Stacks.java on the stack of the access, innermost first, as (method, comment).
EXPECTED = {
    "recursion": [("recurse", "bottom")] + [("recurse", "deeper")] * 4 + [("everything", "recurse")],
    "dispatch": [("Circle.paint", "paint"), ("Shape.draw", "draw"), ("everything", "circle")],
    "lambda": [("lambda$everything$", "lambda"), ("call", "call"), ("everything", "lambda")],
    "handler": [("touchHandler", "handler"), ("afterFailure", "caught"), ("everything", "failure")],
    "callback": [("lambda$everything$", "sort"), ("everything", "sort")],
    "constructor": [("Made.<init>", "made"), ("everything", "new")],
    "rolled": [("roll", "rolled"), ("everything", "roll")],
    "looped": [("sum", "looped"), ("sum", "inner"), ("sum", "inner"), ("add", "sum"), ("everything", "add")],
    "summed": [("add", "summed"), ("everything", "add")],
    "twice": [("touch", "touch"), ("everything", "one")],
    "pool": [("inPool", "pool"), ("lambda$main$", "task")],
}


def lines_by_comment():
    lines = {}
    for number, text in enumerate(SOURCE.read_text().splitlines(), 1):
        if found := re.search(r"// at (\w+)$", text):
            lines[found.group(1)] = number
    return lines


def run(arguments, name, vm, options):
    folder = Path(arguments.work) / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [arguments.java, "-Xverify:all", *vm, f"-agentpath:{arguments.agent}=dir={folder},{options}", "-cp",
               arguments.classes, "history.Stacks"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{name}: status {done.returncode}\n{done.stdout}{done.stderr}\nagain: {' '.join(command)}")
    files = list(folder.glob("jvm-*/records.jsonl"))
    return [json.loads(line) for line in files[0].read_text().splitlines()], " ".join(command)


def application_frames(stack):
    return [(frame["class"].removeprefix("history.Stacks").lstrip("$"), frame["method"], frame["line"])
            for frame in stack if frame["class"].startswith("history.")]


def mismatch(stack, expected, lines):
    """What is wrong with the innermost frames of a stack; None if nothing is."""
    frames = application_frames(stack)
    for i, (method, comment) in enumerate(expected):
        if i >= len(frames):
            return f"frame {i} is missing"
        name = f"{frames[i][0]}.{frames[i][1]}".lstrip(".")
        if not (name == method or method.endswith("$") and name.startswith(method)):
            return f"frame {i} is {name}, not {method}"
        if frames[i][2] != lines[comment]:
            return f"frame {i} is at line {frames[i][2]}, not {lines[comment]}"
    return None


def check(arguments, name, vm=(), options="check_history=on"):
    records, command = run(arguments, name, vm, options)
    lines = lines_by_comment()
    problems = []
    seen = set()
    for race in (r for r in records if r["type"] == "race"):
        field = race["variable"].get("field")
        if race["variable"].get("class", "").startswith("java.util."):
            seen.add("collection")
            frames = application_frames(race["accesses"][1]["stack"])
            if not frames or frames[0] != ("", "everything", lines["put"]):
                problems.append(f"{race['variable']}: first application frame is {frames[:1]}")
            continue
        if field not in EXPECTED:
            continue
        seen.add(field)
        for access in race["accesses"][1:] if field == "pool" else race["accesses"]:
            wrong = mismatch(access["stack"], EXPECTED[field], lines)
            if wrong or access.get("stack_missing"):
                problems.append(f"{field}, {access['thread']['name']}: {wrong or access['stack_missing']}")
    problems += [f"no race on {field}" for field in sorted(set(EXPECTED) | {"collection"}) if field not in seen]
    end = [r for r in records if r["type"] == "end"][-1]["counters"]
    if "check_history" in options and (end["stacks_wrong"] != 0 or end["stacks_checked"] == 0):
        problems.append(f"{end['stacks_wrong']} of {end['stacks_checked']} stacks on record are wrong")
    if end["ways_not_kept"] != 0 or end["ways_kept"] == 0:
        problems.append(f"{end['ways_kept']} ways kept, {end['ways_not_kept']} not")
    return report(name, problems, command)


def check_no_room(arguments):
    """With room for a few ways only the others are not kept, and the record says so."""
    records, command = run(arguments, "no_room", (), "history=4")
    problems = []
    seen = set()
    for race in (r for r in records if r["type"] == "race" and r["variable"].get("field") in EXPECTED):
        seen.add(race["variable"]["field"])
        previous = race["accesses"][1]
        if (previous.get("stack_missing"), previous.get("history"), len(previous["stack"])) != ("no room", 4, 1):
            problems.append(f"{race['variable']}: {previous}")
    problems += [f"no race on {field}" for field in sorted(set(EXPECTED) - seen)]
    end = [r for r in records if r["type"] == "end"][-1]["counters"]
    if end["ways_kept"] != 4 or end["ways_not_kept"] < len(EXPECTED):
        problems.append(f"{end['ways_kept']} ways kept, {end['ways_not_kept']} not")
    return report("no_room", problems, command)


def check_off(arguments):
    """Without a history the previous access is its place alone."""
    records, command = run(arguments, "off", (), "history=0")
    lengths = {len(race["accesses"][1]["stack"]) for race in records if race["type"] == "race"}
    return report("off", [] if lengths == {1} else [f"stacks of {lengths} frames"], command)


def main():
    arguments = arguments_of(__doc__)
    good = [check(arguments, "mixed"), check(arguments, "interpreted", ["-Xint"]), check(arguments, "compiled", ["-Xcomp"]),
            check(arguments, "slow_path", options="fast_path=off"), check_no_room(arguments), check_off(arguments)]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
