#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of "Race Directed Random Testing of Concurrent Programs" (Sen, PLDI 2008, Table 1) for deadheat confirm.

For each program of programs/: its lines, the time of a plain run, of one with the hybrid detector and of one execution under the
race-directed scheduler; the pairs the hybrid detector suspects, those that were created, those with an exception; runs with an exception
under the JVM's own scheduler; and how often the tries of a real pair created it (the mean over the pairs, and the worst pair).

A pair below --aim is listed with what got in the way. Nothing is asserted about times.

example:
  bench/confirm/run_table.py --deadheat build/bin/deadheat --java /usr/lib/jvm/JDK/bin/java --tries 100
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

PROGRAMS = ["MolDyn", "RayTracer", "MonteCarlo", "Cache", "Sor", "Crawler", "Bank", "BoundedBuffer", "VectorDriver", "SyncLinkedList",
            "SyncArrayList", "SyncHashSet", "SyncTreeSet", "StringBuffers"]
SHARED = {"SyncLinkedList": ["CollectionDriver"], "SyncArrayList": ["CollectionDriver"], "SyncHashSet": ["CollectionDriver"],
          "SyncTreeSet": ["CollectionDriver"], "MolDyn": ["PhaseBarrier"], "Sor": ["PhaseBarrier"]}
COLUMNS = ["program", "lines", "normal s", "hybrid s", "confirm s", "candidates", "real", "exceptions", "exceptions plain",
           "probability", "worst pair"]


class Row:
    """One program, measured."""

    def __init__(self, args, name):
        self.args, self.name = args, name
        self.folder = args.work / name
        (self.folder / ".deadheat").mkdir(parents=True)
        self.program = [args.java, "-cp", str(args.work / "classes"), f"programs.{name}"]

    def run(self, command):
        """Seconds, exit status and stderr."""
        begun = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=7200)
        return time.monotonic() - begun, done.returncode, done.stderr

    def measure(self):
        lines = sum(len((HERE / "programs" / f"{part}.java").read_text().splitlines()) for part in [self.name, *SHARED.get(self.name, [])])
        plain = [self.run(self.program) for _ in range(self.args.plain)]
        raised = sum("Exception in thread" in errors for _, _, errors in plain)
        # What one run suspects depends on its order: the pairs of a few.
        hybrid = [self.run([self.args.deadheat, "run", "--detector", "hybrid", "--", *self.program]) for _ in range(self.args.hybrid)]
        races = self.confirm()
        real = [race for race in races if race["verdict"]["verdict"] != "not confirmed"]
        chances = {race["id"]: chance(race["verdict"]) for race in real}
        harmful = [race for race in real if any(harm["kind"] == "exception" for harm in race["verdict"]["harms"])]
        self.low = [race for race in real if chances[race["id"]] < self.args.aim]
        self.cells = [self.name, lines, seconds(plain), seconds(hybrid), self.one_execution(real), len(races), len(real), len(harmful),
                      f"{raised} of {len(plain)}", average(chances.values()), f"{min(chances.values()):.2f}" if chances else "-"]
        return self

    def confirm(self):
        file = self.folder / "verdicts.json"
        _, status, errors = self.run([self.args.deadheat, "confirm", "--all", "--tries", str(self.args.tries), "--jobs",
                                      str(self.args.jobs), "--json", str(file), "--", *self.program])
        if status not in (0, 66):
            sys.exit(f"{self.name}: deadheat confirm exited with {status}\n{errors}")
        (self.folder / "verdicts.txt").write_text(errors)
        return json.loads(file.read_text())["races"]

    def one_execution(self, real):
        """The mean of a few, one after the other."""
        if not real:
            return "-"
        tries = 3
        spent, _, _ = self.run([self.args.deadheat, "confirm", "--tries", str(tries), "--jobs", "1", real[0]["id"], "--", *self.program])
        last_run = max((self.folder / ".deadheat" / "runs").iterdir(), key=lambda run: int(run.name))
        return f"{spent / len(list((last_run / 'tries').rglob('stdout'))):.2f}"


def measured(verdict):
    """The pair of instructions that was tried as often as asked; of another one in the same lines only if the first cannot meet."""
    met = [pair for pair in verdict.get("pairs", []) if pair["verdict"] != "not confirmed"]
    return met[0] if met else verdict


def chance(verdict):
    return measured(verdict)["met"] / measured(verdict)["tries"]


def seconds(runs):
    return f"{statistics.median(spent for spent, _, _ in runs):.2f}"


def average(chances):
    return f"{statistics.mean(chances):.2f}" if chances else "-"


def main():
    parser = tables.table_parser(__doc__, "bench-confirm")
    parser.add_argument("--tries", type=int, default=100, help="for each pair (default: 100, as in the paper)")
    parser.add_argument("--plain", type=int, default=20, help="plain runs (default: 20)")
    parser.add_argument("--hybrid", type=int, default=5, help="runs with the hybrid detector (default: 5)")
    parser.add_argument("--aim", type=float, default=0.95)
    parser.add_argument("--quick", action="store_true", help="a rough picture: 5 tries, 3 plain runs, 2 with the detector")
    args = tables.parse(parser, PROGRAMS)
    if args.quick:
        args.tries, args.plain, args.hybrid = 5, 3, 2
    subprocess.run([args.javac, "-g", "--release", "17", "-d", args.work / "classes", *(HERE / "programs").glob("*.java")], check=True)
    rows = []
    tables.print_head(COLUMNS)
    for name in args.programs:
        rows.append(Row(args, name).measure())
        tables.print_row(rows[-1].cells)
    for row in rows:
        for race in row.low:
            verdict = measured(race["verdict"])
            print(f"below {args.aim}: {row.name} {race['id']} met in {verdict['met']} of {verdict['tries']} tries "
                  f"({race['accesses'][0]['site']} and {race['accesses'][1]['site']})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
