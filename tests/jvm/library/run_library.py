#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs each theme of LibraryCalls under `deadheat run`, in a JVM of its own so that everything happens for the first time: no race may be reported."""

import argparse
import pathlib
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--java", required=True)
    parser.add_argument("--deadheat", required=True)
    parser.add_argument("--classes", required=True)
    parser.add_argument("--themes", nargs="*", help="only these")
    args = parser.parse_args()
    deadheat = str(pathlib.Path(args.deadheat).resolve())
    program = [args.java, "-cp", str(pathlib.Path(args.classes).resolve()), "library.LibraryCalls"]
    known = subprocess.run(program, check=True, capture_output=True, text=True).stdout.split()
    failures = 0
    for theme in args.themes or known:
        with tempfile.TemporaryDirectory(prefix="library_test.") as folder:
            (pathlib.Path(folder) / ".deadheat").mkdir()
            command = [deadheat, "run", "--", *program, theme]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=250)
        if done.returncode != 0 or done.stdout.strip() != theme or "no races found in 1 JVM" not in done.stderr:
            failures += 1
            print(f"FAIL {theme}: status {done.returncode}\n  replay: {' '.join(command)}\n{done.stdout}{done.stderr}")
    print(f"{len(args.themes or known)} themes, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
