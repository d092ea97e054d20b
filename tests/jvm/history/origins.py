#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks where the threads of a race come from, which monitors are held and which object it is about: runs Origins.java and compares with what is known of it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from checks import arguments_of, report

SOURCE = Path(__file__).resolve().parent / "Origins.java"

OWNED = r"java\.util\.concurrent\.locks\.ReentrantLock #\d+"

# By field or index: the start of the second thread (creator, place), that of the first (None: it is the main thread), the second one's locks, sorted (the VM
# tells monitors in any order), and those of the first, outermost first, monitors as (method, place).
EXPECTED = {
    "main": (("main", "worker"), None, [r"history\.Origins\$Guard@[0-9a-f]+"], [("inMethod", "method")]),
    "child": (("parent", "child"), ("main", "parent"), [r"class history\.Origins", r"history\.Origins\$Guard@[0-9a-f]+"], []),
    "pool": (("main", "pool"), None, [], []),
    "17": (("main", "filler"), None, [], []),
    "virtual": (("main", "virtual"), None, [], []),
    "owned": (("main", "locker"), None, [OWNED], [("acrossLocks", "block"), OWNED]),
}


def lines_by_comment():
    lines = {}
    for number, text in enumerate(SOURCE.read_text().splitlines(), 1):
        if found := re.search(r"// at (\w+)$", text):
            lines[found.group(1)] = number
    return lines


def variable_of(race):
    variable = race["variable"]
    return variable["field"] if variable.get("class") == "history.Origins$Box" else str(variable.get("index", ""))


def wrong_objects(races, lines, allocations):
    """What is wrong with the objects of the races: one box, one array, and where they were made, if that was to be kept."""
    kinds = {"int[]": set(), "history.Origins$Box": set()}
    for race in races:
        found = race.get("object", {})
        if found.get("class") not in kinds or not re.fullmatch("[0-9a-f]+", found.get("hash", "")):
            return [f"{variable_of(race)}: the object is {found}"]
        kinds[found["class"]].add(found["hash"])
        place = lines["cells" if found["class"] == "int[]" else "box"]
        if not allocations and "allocated_at" in found:
            return ["allocations were not to be kept"]
        if allocations and [frame["line"] for frame in found["allocated_at"]][:1] != [place]:
            return [f"{found['class']} was made at line {place}, not {found['allocated_at'][:1]}"]
    return [f"{len(hashes)} objects of {kind}" for kind, hashes in kinds.items() if len(hashes) != 1]


def wrong_origin(thread, expected, lines):
    """What is wrong with the origin of a thread; None if nothing is."""
    if expected is None:
        return None if thread.get("main") and "created_by" not in thread else f"{thread} is not said to be the main thread"
    creator, place = expected
    if thread.get("main") or thread.get("created_by", {}).get("name") != creator:
        return f"created by {thread.get('created_by')}, not {creator}"
    frames = thread.get("created_at", [])
    if not frames or not frames[0]["class"].startswith("java.lang."):
        return f"the innermost frame is {frames[:1]}, not the start of a thread"
    application = [frame for frame in frames if frame["class"].startswith("history.")]
    if not application or application[0]["line"] != lines[place]:
        return f"created at {application[:1]}, not line {lines[place]}"
    return None


def monitor(method, place, lines):
    return re.escape(f"monitor entered at history.Origins.{method} (Origins.java:{lines[place]})")


def check(arguments, name, vm, allocations=False):
    folder = Path(arguments.work) / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [arguments.java, "-Xverify:all", *vm, f"-agentpath:{arguments.agent}=dir={folder}{',allocations=on' if allocations else ''}", "-cp", arguments.classes,
               "history.Origins"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    problems = [] if done.returncode == 0 else [f"status {done.returncode}", done.stdout, done.stderr]
    records = [json.loads(line) for file in folder.glob("jvm-*/records.jsonl") for line in file.read_text().splitlines()]
    lines = lines_by_comment()
    seen = set()
    races = [r for r in records if r["type"] == "race" and r["variable"].get("class") in ("history.Origins$Box", "int[]")]
    problems += wrong_objects(races, lines, allocations)
    for race in races:
        field = variable_of(race)
        second, first, locks, previous_locks = EXPECTED[field]
        seen.add(field)
        now, before = race["accesses"]
        for access, origin in ((now, second), (before, first)):
            if wrong := wrong_origin(access["thread"], origin, lines):
                problems.append(f"{field}, {access['thread']['name']}: {wrong}")
        previous_locks = [lock if isinstance(lock, str) else monitor(*lock, lines) for lock in previous_locks]
        for held, expected in ((sorted(now.get("locks", ["?"])), locks), (before.get("locks", ["?"]), previous_locks)):
            if len(held) != len(expected) or not all(map(re.fullmatch, expected, held)):
                problems.append(f"{field}: holds {held}, not {expected}")
        if field == "owned" and now.get("locks") == before.get("locks", [])[1:]:
            problems.append("two locks have one name")
    wanted = set(EXPECTED) if arguments.virtual else set(EXPECTED) - {"virtual"}
    problems += [f"no race on {field}" for field in sorted(wanted - seen)]
    return report(name, problems, ' '.join(command))


def main():
    arguments = arguments_of(__doc__)
    version = subprocess.run([arguments.java, "-version"], capture_output=True, text=True).stderr
    arguments.virtual = int(re.search(r'version "(\d+)', version).group(1)) >= 21
    good = [check(arguments, "mixed", []), check(arguments, "interpreted", ["-Xint"]), check(arguments, "compiled", ["-Xcomp"]),
            check(arguments, "allocations", [], allocations=True)]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
