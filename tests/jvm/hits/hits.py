#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the accesses of Hits.java that reach the engine: what a thread has accessed before in the same epoch must not, or every program is slow."""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

# Each of 64 nodes (two fields) and elements by two threads, once or a few times; the rest is the JDK's start.
MOST = 5_000


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("java", "agent", "classes", "work"):
        parser.add_argument(f"--{option}", required=True)
    arguments = parser.parse_args()
    work = Path(arguments.work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    command = [arguments.java, f"-agentpath:{arguments.agent}=dir={work}", "-cp", arguments.classes, "hits.Hits"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    records = [json.loads(line) for file in work.glob("jvm-*/records.jsonl") for line in file.read_text().splitlines()]
    rules = next((record["rules"] for record in records if record["type"] == "end"), {})
    accesses = sum(count for rule, count in rules.items() if rule.startswith(("READ", "WRITE")))
    print(f"{accesses} accesses reached the engine")
    if done.returncode != 0 or not rules or accesses > MOST or any(record["type"] == "race" for record in records):
        sys.exit(f"status {done.returncode}, {rules}\n{done.stdout}{done.stderr}\nagain: {' '.join(command)}")


if __name__ == "__main__":
    main()
