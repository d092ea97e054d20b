#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the controlled scheduler costs in a JVM.

- scheduling points a second without a switch (one thread), and switches a second (two threads under the random walk): the time of a
  run with many points less that of one with few, so that the start of the JVM does not count; by the clock, and by the time of the
  processors, which on a busy machine says more;
- a program that waits for a server most of the time: seconds plain and under control (random walk), runs of both kinds by turns.

Nothing is asserted about times. bench/micro/schedule_bench has the same figures for the scheduler without a JVM.

example:
  bench/schedule/run_schedule_bench.py --agent build/lib/libdeadheat.so --java /usr/lib/jvm/JDK/bin/java
"""

import argparse
import glob
import json
import resource
import socketserver
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Page(socketserver.StreamRequestHandler):
    delay = 0.02

    def handle(self):
        self.rfile.readline()
        time.sleep(self.delay)
        self.wfile.write(b"x" * 10_000)


class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True
    request_queue_size = 100


def run(args, controlled, *program):
    """Seconds by the clock, of the processors, and the record of the outcome, if there is one."""
    with tempfile.TemporaryDirectory() as folder:
        agent = [f"-agentpath:{args.agent}=dir={folder},engine=schedule,strategy=random,seed=1"] if controlled else []
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begun = time.monotonic()
        subprocess.run([args.java, *agent, "-cp", args.classes, *map(str, program)], check=True, capture_output=True)
        spent = time.monotonic() - begun
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processors = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        records = [json.loads(line) for file in glob.glob(f"{folder}/jvm-*/records.jsonl") for line in open(file, encoding="utf-8")]
        return spent, processors, next((record for record in records if record["type"] == "schedule"), None)


def rate(args, threads, few, many, what):
    """A second by the clock, and a second of the processors."""
    rates = []
    for _ in range(args.repetitions):
        less = run(args, True, "Switches", threads, few)
        more = run(args, True, "Switches", threads, many)
        count = more[2][what] - less[2][what]
        rates.append((count / (more[0] - less[0]), count / (more[1] - less[1])))
    by_clock, by_processors = (statistics.median(column) for column in zip(*rates))
    return f"{by_clock:,.0f} by the clock, {by_processors:,.0f} by the processors"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--java", default="java")
    parser.add_argument("--javac", default="javac")
    parser.add_argument("--agent", default=str(HERE.parent.parent / "build" / "lib" / "libdeadheat.so"))
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--pages", type=int, default=400)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as classes, Server(("127.0.0.1", 0), Page) as server:
        args.classes = classes
        subprocess.run([args.javac, "--release", "17", "-d", classes, *map(str, (HERE / "programs").glob("*.java"))], check=True)
        print(f"points a second, one thread: {rate(args, 1, 10_000, 10_000_000, 'steps')}", flush=True)
        print(f"switches a second, two threads: {rate(args, 2, 1_000, 500_000, 'switches')}", flush=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        fetch = ["Fetch", server.server_address[1], 4, args.pages]
        plain, controlled = [], []
        for _ in range(args.repetitions):
            plain.append(run(args, False, *fetch)[0])
            controlled.append(run(args, True, *fetch)[0])
        print(f"{args.pages} pages, 4 threads, {Page.delay * 1000:.0f} ms a page: plain {statistics.median(plain):.2f} s, "
              f"under control {statistics.median(controlled):.2f} s ({statistics.median(controlled) / statistics.median(plain):.2f}x)")
        server.shutdown()


if __name__ == "__main__":
    main()
