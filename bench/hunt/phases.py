#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the two phases of a hunt cost over the programs of subjects/: the learning run (Phase I) over the program alone, a hunted run (Phase II)
over a plain run of the detector.

All four are run in turn, --runs times; a row has the medians of processor time (user + system, which other work on the machine disturbs
least) and their ratios, by processor time and by the clock. A result (the RESULT line) that differs from the program's own is a failure.
"""

import argparse
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import time

SUBJECTS = ["xalan", "h2", "lucene", "tomcat", "batik", "guava"]


def timed(command, folder):
    """Processor seconds, seconds and the RESULT line."""
    folder.mkdir(parents=True)
    begun = time.monotonic()
    with open(folder / "times", "w") as times:
        done = subprocess.run(["bash", "-c", 'TIMEFORMAT="%U %S"; time "$@" 2> /dev/null', "-", *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=times, text=True, errors="replace", cwd=folder)
    seconds = time.monotonic() - begun
    line = re.search(r"^RESULT .*$", done.stdout, re.MULTILINE)
    spent = sum(map(float, (folder / "times").read_text().split()[-2:]))
    return spent, seconds, line and line.group(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agent", required=True, help="libdeadheat.so")
    parser.add_argument("--java", default="java")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="emptied first")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--size", default="small")
    parser.add_argument("--threads", type=int, default=3)
    parser.add_argument("--subjects", nargs="+", default=SUBJECTS)
    args = parser.parse_args()
    script = pathlib.Path(__file__).resolve().parents[2] / "subjects" / "run.sh"
    agent = str(pathlib.Path(args.agent).resolve())
    work = args.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    print("| subject | plain s | learning s | run s | hunted s | Phase I | by the clock | Phase II | by the clock |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    wrong, ratios = False, []
    for subject in args.subjects:
        shown = subprocess.run([script, subject, "--size", args.size, "--threads", str(args.threads), "--java", args.java, "--print-command"],
                               capture_output=True, text=True, check=True).stdout.splitlines()[-1]
        java, *rest = shlex.split(shown)
        spent = {kind: [] for kind in ("plain", "learning", "run", "hunted")}
        right = None
        for number in range(args.runs):
            for kind in spent:
                folder = work / subject / f"{kind}-{number}"
                options = {"learning": ",engine=relations", "run": "",
                           "hunted": f",hunt=drfinder,seed={number + 1},relations={next(iter((work / subject).glob(f'learning-{number}/run/jvm-*/relations')), '')}"}
                with_agent = [f"-agentpath:{agent}=dir={folder}/run{options[kind]}"] if kind in options else []
                *times, line = timed([java, *with_agent, *rest], folder)
                spent[kind].append(times)
                right = right or line
                if line != right or line is None:
                    print(f"{subject}, {kind}, run {number + 1}: {line} in place of {right}", file=sys.stderr, flush=True)
                    wrong = True
        middle = {kind: [statistics.median(column) for column in zip(*rows)] for kind, rows in spent.items()}
        phases = [middle["learning"][i] / middle["plain"][i] for i in (0, 1)] + [middle["hunted"][i] / middle["run"][i] for i in (0, 1)]
        ratios.append(phases)
        print(f"| {subject} | " + " | ".join(f"{middle[kind][0]:.2f}" for kind in spent) + " | " + " | ".join(f"{ratio:.2f}" for ratio in phases) + " |", flush=True)
    print("| mean | | | | | " + " | ".join(f"{statistics.mean(column):.2f}" for column in zip(*ratios)) + " |")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
