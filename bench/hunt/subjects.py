#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`deadheat hunt --compare` over the programs of subjects/: the table of each, and whether every run had the program's right result.

A program prints `RESULT NAME HASH`, which depends on neither threads nor schedule. Runs that ended without one (a time limit, a deadlock)
are counted, a result that differs from that of the program alone is a failure. Prints a Markdown table of the costs as well: means of wall
time over those of a native run under the detector (`native`), and of the learning run over the program alone.
"""

import argparse
import collections
import json
import pathlib
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys

SUBJECTS = ["xalan", "h2", "lucene", "tomcat", "batik", "guava"]


def results(folder):
    """By strategy the RESULT lines of its runs; None for a run without one."""
    found = collections.defaultdict(list)
    for output in sorted(folder.glob(".deadheat/runs/*/hunt/*/stdout")):
        line = re.search(r"^RESULT .*$", output.read_text(errors="replace"), re.MULTILINE)
        found[re.sub(r"-\d+$", "", output.parent.name)].append(line and line.group(0))
    return found


def means(folder):
    """Seconds of a run by strategy."""
    database = sqlite3.connect(next(folder.glob(".deadheat/deadheat.db")))
    rows = database.execute("SELECT strategy, avg(milliseconds) FROM hunted_runs GROUP BY strategy").fetchall()
    database.close()
    return {name: milliseconds / 1000 for name, milliseconds in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deadheat", required=True)
    parser.add_argument("--java", default="java")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="emptied first")
    parser.add_argument("-n", type=int, default=10, help="runs of each strategy")
    parser.add_argument("--size", default="small")
    parser.add_argument("--threads", type=int, default=3)
    parser.add_argument("--time-limit", type=int, default=600)
    parser.add_argument("--strategies", nargs="*", help="instead of --compare")
    parser.add_argument("--subjects", nargs="+", default=SUBJECTS)
    args = parser.parse_args()
    run = pathlib.Path(__file__).resolve().parents[2] / "subjects" / "run.sh"
    deadheat = str(pathlib.Path(args.deadheat).resolve())
    shutil.rmtree(args.work, ignore_errors=True)
    chosen = [word for name in args.strategies for word in ("--strategy", name)] if args.strategies else ["--compare"]
    rows, wrong = [], False
    for subject in args.subjects:
        folder = args.work / subject
        (folder / ".deadheat").mkdir(parents=True)
        program = subprocess.run([run, subject, "--size", args.size, "--threads", str(args.threads), "--java", args.java, "--print-command"],
                                 capture_output=True, text=True, check=True).stdout.splitlines()[-1]
        command = [deadheat, "hunt", "-n", str(args.n), *chosen, "--jobs", "1", "--time-limit", str(args.time_limit), "--chart", "chart.html", "--json", "races.json", "--",
                   *shlex.split(program)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        (folder / "stderr").write_text(done.stderr)
        print(f"== {subject}: status {done.returncode}", flush=True)
        table = re.search(r"^  strategy .*?(?=^deadheat: \d+ race|^deadheat: no race)", done.stderr, re.MULTILINE | re.DOTALL)
        print(table.group(0) if table else done.stderr[-2000:], flush=True)
        found = results(folder)
        right = next((line for line in found.get("plain", []) if line), None)
        for strategy, lines in found.items():
            missing = sum(1 for line in lines if line is None)
            differ = sum(1 for line in lines if line is not None and line != right)
            if missing or differ:
                print(f"  {strategy}: {missing} of {len(lines)} runs without a result, {differ} with another one", flush=True)
            wrong |= differ > 0
        wrong |= right is None or done.returncode not in (0, 66)
        seconds = means(folder)
        races = len(json.loads((folder / "races.json").read_text())["races"])
        base = seconds.get("native")
        rows.append([subject, str(races), *(f"{seconds[name] / base:.2f}" if base and name in seconds else "-" for name in ("drfinder", "contest", "random", "pct", "pos"))])
    print("| subject | races | drfinder | contest | random | pct | pos |\n|---|---|---|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
