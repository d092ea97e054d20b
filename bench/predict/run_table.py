#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of "Persuasive Prediction of Concurrency Access Anomalies" (Huang, Zhang, ISSTA 2011, Table 1) for deadheat predict.

For each program of programs/ and of bench/confirm/programs/: its lines; threads, variables that two threads use with a write among them
and events of the trace; the cost of recording (time of a recorded run over a plain one, minus 1); the time of analyses and pattern search
and of a schedule on average; the data races, atomicity violations and atomic-set violations that were predicted (each unique by
source lines; candidates that no feasible schedule shows are not counted); how many were created at the first re-execution, raised an
uncaught exception there, and failed. Failures are listed below the table with what got in the way. Nothing is asserted about times.

Public methods are taken as atomic regions (--atomic-methods public) beside synchronized blocks, as the drivers of the collections need it;
not so for the drivers of whole libraries.

example:
  bench/predict/run_table.py --deadheat build/bin/deadheat --java /usr/lib/jvm/JDK/bin/java
"""

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import tables  # noqa: E402

CONFIRM = HERE.parent / "confirm" / "programs"
OWN = ["Account", "BuggyProgram", "Critical", "Loader", "Manager", "MergeSort", "Shop"]
FROM_CONFIRM = ["StringBuffers", "SyncArrayList", "SyncLinkedList", "SyncHashSet", "SyncTreeSet", "MolDyn", "RayTracer", "MonteCarlo",
                "Cache", "Crawler", "Bank", "BoundedBuffer"]
SHARED = {"Manager": ["StartTogether"], "Shop": ["StartTogether"], "SyncLinkedList": ["CollectionDriver"],
          "SyncArrayList": ["CollectionDriver"], "SyncHashSet": ["CollectionDriver"], "SyncTreeSet": ["CollectionDriver"], "MolDyn": ["PhaseBarrier"]}
# Drivers of real libraries (subjects/), where their packages are installed: main class, jars.
JARS = Path("/usr/share/java")
SUBJECTS = {"h2": ("subjects.h2.H2Subject", ["h2.jar"]),
            "lucene": ("subjects.lucene.LuceneSubject", ["lucene-core-4.10.4.jar", "lucene-analyzers-common-4.10.4.jar",
                                                         "lucene-queryparser-4.10.4.jar", "lucene-queries-4.10.4.jar", "lucene-sandbox-4.10.4.jar"])}
COLUMNS = ["program", "lines", "threads", "shared", "events", "overhead", "analysis ms", "schedule ms", "race", "AV", "ASV", "other",
           "created", "exceptions", "failed"]


def folder_of(name):
    return HERE / "programs" if name in OWN else CONFIRM


class Row:
    """One program, measured."""

    def __init__(self, args, name):
        self.args, self.name = args, name
        self.folder = args.work / name
        (self.folder / ".deadheat").mkdir(parents=True)
        self.program = [args.java, "-cp", str(args.work / "classes"), f"programs.{name}"]
        self.regions = ["--atomic-methods", "public"]
        if name in SUBJECTS:
            main, jars = SUBJECTS[name]
            path = ":".join([str(args.work / name / "classes"), *(str(JARS / jar) for jar in jars)])
            sources = [*(HERE.parents[1] / "subjects" / "harness").glob("*.java"), *(HERE.parents[1] / "subjects" / name).glob("*.java")]
            subprocess.run([args.javac, "-g", "--release", "17", "-cp", path, "-d", args.work / name / "classes", *sources], check=True)
            self.program = [args.java, "-cp", path, main, "--threads", "3", "--size", "tiny", "--seed", "1"]
            self.regions = []  # of a whole library, every public method is no unit of work

    def run(self, command):
        """Seconds, exit status and stderr."""
        begun = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=7200)
        return time.monotonic() - begun, done.returncode, done.stderr

    def measure(self):
        parts = [folder_of(self.name) / f"{part}.java" for part in [self.name, *SHARED.get(self.name, [])]]
        if self.name in SUBJECTS:
            parts = list((HERE.parents[1] / "subjects" / self.name).glob("*.java"))
        lines = sum(len(part.read_text().splitlines()) for part in parts)
        # In turns, so that both have the same neighbours on the machine.
        plain, recorded = [], []
        trace = self.folder / "trace"
        for _ in range(self.args.runs):
            plain.append(self.run(self.program)[0])
            recorded.append(self.run([self.args.deadheat, "record", "-o", str(trace), "--time-limit", str(self.args.time_limit), "--", *self.program])[0])
        found = self.predict()
        self.predictions = [one for one in found["predictions"] if one["reexecution"]["result"] != "infeasible"]
        tried = [one for one in self.predictions if one["reexecution"]["result"] != "not tried"]
        created = [one for one in tried if one["reexecution"]["result"] == "created"]
        self.failed = [one for one in tried if one["reexecution"]["result"] != "created"]
        raised = [one for one in created if one["reexecution"].get("exceptions")]
        # Looking for one takes its time also where there is none.
        schedules = sum(one["schedule_events"] > 0 or one["reexecution"]["result"] == "infeasible" for one in found["predictions"])
        counts = [self.count(kind) for kind in ("data race", "atomicity violation", "atomic-set violation")]
        overhead = statistics.median(recorded) / statistics.median(plain) - 1
        per_schedule = 1000 * found["schedule_seconds"] / schedules if schedules else 0
        self.cells = [self.name, lines, found["threads"], shared_variables(self.args.deadheat, trace), found["events"], f"{overhead:.2f}x",
                      f"{1000 * found['analysis_seconds']:.0f}", f"{per_schedule:.1f}", *counts, len(self.predictions) - sum(counts),
                      len(created), len(raised), len(self.failed)]
        return self

    def count(self, kind):
        return sum(one["kind"] == kind for one in self.predictions)

    def predict(self):
        """Of the first recorded run that foretells anything: in some, one thread does all the work."""
        file = self.folder / "found.json"
        for seed in range(1, self.args.seeds + 1):
            _, status, errors = self.run([self.args.deadheat, "predict", "--seed", str(seed), *self.regions, "--json", str(file), "--most",
                                          str(self.args.most), "--jobs", str(self.args.jobs), "--time-limit", str(self.args.time_limit), "--",
                                          *self.program])
            (self.folder / "found.txt").write_text(errors)
            if not file.exists():
                sys.exit(f"{self.name}: deadheat predict exited with {status}\n{errors}")
            found = json.loads(file.read_text())
            if any(one["reexecution"]["result"] != "infeasible" for one in found["predictions"]):
                break
        return found


def shared_variables(deadheat, trace):
    """Variables with accesses of two threads, at least one a write."""
    users = {}
    with subprocess.Popen([deadheat, "trace", "cat", str(trace)], stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            thread, operation = line.split("|")[:2]
            if operation[:2] in ("r(", "w("):
                threads, _ = known = users.setdefault(operation[2:-1], [set(), False])
                threads.add(thread)
                known[1] |= operation[0] == "w"
    return sum(len(threads) > 1 and written for threads, written in users.values())


def main():
    parser = tables.table_parser(__doc__, "bench-predict")
    parser.add_argument("--runs", type=int, default=5, help="plain and recorded runs (default: 5)")
    parser.add_argument("--most", type=int, default=100, help="re-executions of one program (default: 100, as in the paper)")
    parser.add_argument("--seeds", type=int, default=5, help="recorded runs to look at until something is predicted (default: 5)")
    parser.add_argument("--time-limit", type=int, default=600, help="seconds, of one execution (default: 600)")
    parser.add_argument("--quick", action="store_true", help="a rough picture: 1 run, 20 re-executions")
    everything = OWN + FROM_CONFIRM + [name for name, (_, jars) in SUBJECTS.items() if all((JARS / jar).exists() for jar in jars)]
    args = tables.parse(parser, everything)
    if args.quick:
        args.runs, args.most = 1, 20
    sources = [*(HERE / "programs").glob("*.java"), *CONFIRM.glob("*.java")]
    subprocess.run([args.javac, "-g", "--release", "17", "-d", args.work / "classes", *sources], check=True)
    rows = []
    tables.print_head(COLUMNS)
    for name in args.programs:
        rows.append(Row(args, name).measure())
        tables.print_row(rows[-1].cells)
    for row in rows:
        for one in row.failed:
            places = ", ".join(f"{access.get('file', access['location'])}:{access.get('line', 0)}" for access in one["accesses"])
            print(f"{row.name}: {one['kind']} {one.get('pattern', '')} ({places}; {one['label']}): {one['reexecution']['result']} "
                  f"{one['reexecution'].get('detail', '')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
