#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `deadheat record` costs on a program that does nothing but access memory, the worst case.

A run with many rounds less one with few, so that the start of the JVM does not count; recorded and plain ones by turns. Prints
events, million events a second by the clock and by the time of the processors, bytes an event, and the time over that of the plain
run (of the processors). Nothing is asserted about times. The cost on whole programs is a column of bench/predict/run_table.py.

example:
  bench/record/run_record_bench.py --deadheat build/bin/deadheat --java /usr/lib/jvm/JDK/bin/java
"""

import argparse
import re
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def timed(command, folder):
    """Seconds by the clock, of the processors, and what it said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder)
    spent = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stderr


def measure(args, folder, threads, rounds):
    program = [args.java, "-cp", folder, "programs.HotLoop", str(threads)]
    record = [args.deadheat, "record", "-o", str(Path(folder) / "trace"), "--state", str(Path(folder) / "state"), "--"]
    rows = []
    for _ in range(args.repetitions):
        plain = [timed([*program, str(n)], folder) for n in (10, rounds)]
        recorded = [timed([*record, *program, str(n)], folder) for n in (10, rounds)]
        events = [int(re.search(r"(\d+) events", one[2]).group(1)) for one in recorded]
        size = (Path(folder) / "trace").stat().st_size
        count = events[1] - events[0]
        clock, processors = (recorded[1][i] - recorded[0][i] for i in (0, 1))
        base = max(plain[1][1] - plain[0][1], 0.01)
        rows.append((count, count / clock / 1e6, count / processors / 1e6, size / events[1], processors / base))
    count, by_clock, by_processors, size, slowdown = (statistics.median(column) for column in zip(*rows))
    print(f"{threads} threads: {count:,.0f} events, {by_clock:.1f} million a second by the clock, {by_processors:.1f} by the processors, "
          f"{size:.2f} bytes an event, {slowdown:.0f} times the processors of the plain run", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--java", default="java")
    parser.add_argument("--javac", default="javac")
    parser.add_argument("--deadheat", default=str(HERE.parent.parent / "build" / "bin" / "deadheat"))
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=500_000)
    args = parser.parse_args()
    args.deadheat = str(Path(args.deadheat).resolve())
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([args.javac, "-d", folder, *map(str, (HERE / "programs").glob("*.java"))], check=True)
        for threads in (1, 4):
            measure(args, folder, threads, args.rounds)


if __name__ == "__main__":
    main()
