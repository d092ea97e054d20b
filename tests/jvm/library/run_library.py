#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs each theme of LibraryCalls in a JVM of its own, so that everything happens for the first time: no race may be reported.

Under `deadheat run`, or with --record under the controlled scheduler, whose trace is looked at with each analysis that cannot be wrong.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile


def run(deadheat, program, folder):
    """The command, what is wrong with it ("" for nothing), and its output."""
    command = [deadheat, "run", "--", *program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=250)
    good = done.returncode == 0 and done.stdout.strip() == program[-1] and "no races found in 1 JVM" in done.stderr
    return command, "" if good else f"status {done.returncode}", done.stdout + done.stderr


def record(deadheat, program, folder):
    command = [deadheat, "record", "-o", "trace", "--", *program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=250)
    if done.returncode != 0 or done.stdout.strip() != program[-1]:
        return command, f"status {done.returncode}", done.stdout + done.stderr
    for analysis in ("shb", "syncp"):
        look = [deadheat, "trace", "analyse", "--with", analysis, "--json", "trace"]
        looked = subprocess.run(look, cwd=folder, capture_output=True, text=True, timeout=250)
        if looked.returncode not in (0, 66) or json.loads(looked.stdout)["racy"]:
            return command + ["&&"] + look, f"{analysis}: status {looked.returncode}", looked.stdout + looked.stderr
    return command, "", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--java", required=True)
    parser.add_argument("--deadheat", required=True)
    parser.add_argument("--classes", required=True)
    parser.add_argument("--record", action="store_true", help="under the controlled scheduler")
    parser.add_argument("--themes", nargs="*", help="only these")
    args = parser.parse_args()
    deadheat = str(pathlib.Path(args.deadheat).resolve())
    program = [args.java, "-cp", str(pathlib.Path(args.classes).resolve()), "library.LibraryCalls"]
    known = subprocess.run(program, check=True, capture_output=True, text=True).stdout.split()
    failures = 0
    for theme in args.themes or known:
        with tempfile.TemporaryDirectory(prefix="library_test.") as folder:
            (pathlib.Path(folder) / ".deadheat").mkdir()
            command, fault, output = (record if args.record else run)(deadheat, [*program, theme], folder)
        if fault:
            failures += 1
            print(f"FAIL {theme}: {fault}\n  replay: {' '.join(command)}\n{output}")
    print(f"{len(args.themes or known)} themes, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
