#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The race-free half of the semantics battery under every strategy of `deadheat hunt`, with several seeds: there must be no alarm.

Prints a Markdown table, one row for each strategy: runs of the battery, cases run, false alarms, cases that failed otherwise. The tests
jvm.semantics.hunt_… are the same with one seed.
"""

import argparse
import pathlib
import re
import subprocess
import sys

# A thread that waits for another by spinning in native code never gives up its turn: nothing tells the scheduler that it waits.
SPINS_IN_NATIVE_CODE = ["NativeCases.StaticCallDuringInit_norace"]

# What the agent is told.
STRATEGIES = {
    "native": "",
    "contest": "hunt=contest,seed={seed}",
    "drfinder": "hunt=drfinder,seed={seed}",
    **{name: f"engine=schedule,detect=on,strategy={name},time_limit=300,seed={{seed}}" for name in ("random", "pct", "pos")},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--java", required=True)
    parser.add_argument("--agent", required=True, help="libdeadheat.so")
    parser.add_argument("--classes", nargs="+", required=True, help="folders of compiled cases")
    parser.add_argument("--native", help="the library of the cases with native code")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="emptied first")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--strategies", nargs="+", default=list(STRATEGIES), choices=list(STRATEGIES))
    args = parser.parse_args()
    here = pathlib.Path(__file__).resolve().parent
    print("| strategy | batteries | cases | false alarms | other failures |\n|---|---|---|---|---|", flush=True)
    bad = False
    for name in args.strategies:
        cases = alarms = others = 0
        for seed in range(1, args.seeds + 1):
            command = [sys.executable, str(here / "run_battery.py"), "--java", args.java, "--agent", args.agent, "--agent-opts", STRATEGIES[name].format(seed=seed),
                       "--order", "ab" if seed % 2 else "ba", "--classes", *args.classes, "--known", str(here / "semantics/known_failures.txt"),
                       "--work", str(args.work / name), "--timeout", "600", "--cases", "*_norace", "--leave-out", *SPINS_IN_NATIVE_CODE, *(["--native", args.native] if args.native else [])]
            done = subprocess.run(command, capture_output=True, text=True)
            counted = re.search(r"^(\d+) cases", done.stdout, re.MULTILINE)
            if counted is None:
                sys.exit(f"{name}, seed {seed}: the battery did not run\n{done.stdout}{done.stderr}")
            cases += int(counted.group(1))
            failures = [line for line in done.stdout.splitlines() if line.startswith("FAIL ")]
            alarms += sum(1 for line in failures if "false alarm" in line or "belongs to no case" in line)
            others += sum(1 for line in failures if "false alarm" not in line and "belongs to no case" not in line)
            for line in failures:
                print(f"{name}, seed {seed}: {line}", file=sys.stderr, flush=True)
        bad |= alarms + others > 0
        print(f"| {name} | {args.seeds} | {cases} | {alarms} | {others} |", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
