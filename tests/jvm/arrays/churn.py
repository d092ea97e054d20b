#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs Churn.java on a small heap and looks at what is reported: the races on the arrays that lived through it, each element once, and nothing else."""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

# Churn.KEPT arrays, of which all elements but the first are written twice.
RACES = 200 * 4


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("java", "agent", "classes", "work"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--young", required=True, help="size of the young generation")
    parser.add_argument("--agent-opts", required=True)
    arguments = parser.parse_args()
    work = Path(arguments.work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    agent = f"-agentpath:{arguments.agent}=dir={work},{arguments.agent_opts}"
    command = [arguments.java, agent, "-Xmx64m", f"-Xmn{arguments.young}", "-cp", arguments.classes, "arrays.Churn"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    records = [json.loads(line) for file in work.glob("jvm-*/records.jsonl") for line in file.read_text().splitlines()]
    races = [record for record in records if record["type"] == "race"]
    again = f"again: {' '.join(command)}"
    if done.returncode != 0 or "sum " not in done.stdout:
        sys.exit(f"status {done.returncode}\n{done.stdout}{done.stderr}\n{again}")
    if len(races) != 1 or "overwrite" not in json.dumps(races[0]):
        sys.exit(f"not the one race in overwrite(), but {len(races)}: {json.dumps(races)[:4000]}\n{again}")
    seen = [record["counts"].get(races[0]["id"]) for record in records if record["type"] == "race_counts"]
    if seen[-1:] != [RACES]:
        sys.exit(f"seen {seen}, not {RACES} times\n{again}")
    print(f"one race, seen {RACES} times")


if __name__ == "__main__":
    main()
