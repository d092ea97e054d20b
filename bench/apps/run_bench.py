#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what JVM options (the agent, mostly) cost: micro kernels, subjects and start-up, as ratios to the plain JVM.

All configurations of a workload run in turn (plain, A, B, plain, A, B, ...), so that a busy machine slows down all of
them; the table shows ratios of medians. CPU time is the number to trust on a shared machine. Nothing is asserted about
times; the status is 1 when a run failed or computed something else than the plain JVM.

example:
  bench/apps/run_bench.py --config hit=-agentpath:build/lib/libdeadheat.so=engine=hit --json build/bench.json
"""

import argparse
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is built in the source tree
import process
import summary
import workloads

REPO_DIR = Path(__file__).resolve().parent.parent.parent
ALL, NONE = "all", "none"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--java", action="append", metavar="JAVA",
                        help="JDK home or java program; repeatable (default: java on PATH)")
    parser.add_argument("--config", action="append", default=[], type=parse_config, metavar="NAME=JVMOPTS",
                        help="a configuration to compare with plain, e.g. c1=-XX:TieredStopAtLevel=1; repeatable")
    parser.add_argument("--kernels", default=ALL, metavar="NAMES", help="all, none or a comma-separated list (default: all)")
    parser.add_argument("--subjects", default=ALL, metavar="NAMES", help="all, none or a comma-separated list (default: all)")
    parser.add_argument("--size", choices=["small", "default"], help="of the subjects (default: default)")
    parser.add_argument("--rounds", type=int, help="runs of each configuration (default: 5)")
    parser.add_argument("--quick", action="store_true",
                        help="a rough picture: 2 rounds, fewer repetitions, small subjects")
    parser.add_argument("--no-startup", action="store_true", help="leave out the start-up of an empty program")
    parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS", help="for each run (default: 300)")
    parser.add_argument("--build-dir", type=Path, default=REPO_DIR / "build" / "bench-apps", metavar="DIR",
                        help="where classes go (default: build/bench-apps)")
    parser.add_argument("--json", metavar="FILE", help="write all samples, medians and ratios there")
    parser.add_argument("--list", action="store_true", help="list kernels and subjects")
    arguments = parser.parse_args()
    names = [name for name, _ in arguments.config]
    if summary.PLAIN in names or len(set(names)) != len(names):
        parser.error(f"configuration names must differ from each other and from {summary.PLAIN}")
    arguments.java = [find_java(parser, java) for java in arguments.java or ["java"]]
    arguments.rounds = arguments.rounds or (2 if arguments.quick else 5)
    arguments.size = arguments.size or ("small" if arguments.quick else "default")
    return arguments


def parse_config(text):
    name, separator, options = text.partition("=")
    if not name or not separator:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=JVMOPTS")
    return name, shlex.split(options)


def find_java(parser, java):
    below_home = Path(java) / "bin" / "java"
    found = str(below_home) if below_home.exists() else shutil.which(java)
    return found or parser.error(f"no java program at {java}")


def select(parser_value, available, kind):
    if parser_value in (ALL, NONE):
        return available if parser_value == ALL else []
    names = parser_value.split(",")
    unknown = sorted(set(names) - set(available))
    if unknown:
        sys.exit(f"run_bench.py: no {kind} {', '.join(unknown)}; there are: {', '.join(available)}")
    return names


def choose_workloads(arguments, classes):
    kernels = select(arguments.kernels, workloads.kernel_names(arguments.java[0], classes), "kernel")
    subjects = select(arguments.subjects, workloads.subject_names(), "subject")
    warmup, repetitions = (3, 4) if arguments.quick else (5, 8)
    chosen = [workloads.Kernel(name, classes, warmup, repetitions) for name in kernels]
    chosen += [workloads.Subject(name, arguments.size, arguments.build_dir) for name in subjects]
    return chosen if arguments.no_startup else [*chosen, workloads.Startup(classes)]


class Bench:
    """Runs workloads on one JDK and collects samples and failures."""

    def __init__(self, java, arguments):
        self.java = java
        self.configs = [(summary.PLAIN, []), *arguments.config]
        self.rounds = arguments.rounds
        self.timeout_s = arguments.timeout
        self.failures = []

    def measure(self, workload):
        """All rounds of one workload; a configuration that failed once is not run again."""
        commands = {name: workload.command(self.java, options) for name, options in self.configs}
        entry = {"name": workload.name, "group": workload.group, "samples": {name: [] for name in commands}}
        broken = set()
        for number in range(self.rounds):
            for config in [name for name in commands if name not in broken]:
                progress(f"{workload.name} {config} {number + 1}/{self.rounds}")
                sample = self._run_once(workload, config, commands[config])
                if sample is None:
                    broken.add(config)
                    entry["samples"][config] = []
                else:
                    entry["samples"][config].append(sample)
        self._check_results(entry, commands)
        summary.add_ratios(entry)
        return entry

    def _run_once(self, workload, config, command):
        outcome = process.run(command, self.timeout_s)
        if outcome.timed_out or outcome.status != 0:
            why = f"more than {self.timeout_s:g} s" if outcome.timed_out else f"status {outcome.status}"
            self._fail(workload.name, config, why, command, outcome.stderr)
            return None
        try:
            return workload.sample(outcome)
        except ValueError:
            self._fail(workload.name, config, "unexpected output", command, outcome.stdout + outcome.stderr)
            return None

    def _check_results(self, entry, commands):
        expected = next((sample["result"] for sample in entry["samples"][summary.PLAIN]), None)
        for config, samples in entry["samples"].items():
            if expected is not None and any(sample["result"] != expected for sample in samples):
                self._fail(entry["name"], config, "another result than plain", commands[config], "")

    def _fail(self, workload, config, why, command, stderr):
        self.failures.append({"workload": workload, "config": config, "why": why, "command": shlex.join(command)})
        print(f"FAILED {workload} {config}: {why}\n  {shlex.join(command)}", file=sys.stderr)
        for line in stderr.splitlines()[-10:]:
            print(f"  | {line}", file=sys.stderr)


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def java_version(java):
    return subprocess.run([java, "-version"], capture_output=True, text=True, check=True).stderr.splitlines()[0]


def bench_jdk(java, arguments, chosen):
    bench = Bench(java, arguments)
    entries, skipped = [], []
    for workload in chosen:
        try:
            entries.append(bench.measure(workload))
        except workloads.Unavailable as reason:
            skipped.append(str(reason))
    progress("")
    result = {"java": java, "version": java_version(java), "workloads": entries, "skipped": skipped,
              "failures": bench.failures}
    configs = [name for name, _ in arguments.config]
    summary.add_means(result, configs)
    print("\n".join([*summary.table(result, configs), *skipped]), flush=True)
    return result


def main():
    arguments = parse_arguments()
    javac = str(Path(os.path.realpath(arguments.java[0])).parent / "javac")
    classes = workloads.build_kernels(arguments.build_dir, javac)
    if arguments.list:
        print("kernels:", *workloads.kernel_names(arguments.java[0], classes))
        print("subjects:", *workloads.subject_names())
        return 0
    chosen = choose_workloads(arguments, classes)
    start = {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "load": os.getloadavg()}
    results = [bench_jdk(java, arguments, chosen) for java in arguments.java]
    if arguments.json:
        report = {
            "format": 1,
            "started": start,
            "machine": {"system": platform.platform(), "cpus": os.cpu_count()},
            "rounds": arguments.rounds,
            "configs": dict(arguments.config),
            "jdks": results,
        }
        Path(arguments.json).write_text(json.dumps(report, indent=1) + "\n")
    return 1 if any(result["failures"] for result in results) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
