#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records cases of tests/jvm/semantics and analyses the traces: no pair of a race-free case may be called racy, some of a racy one must.

The cases run under the agent as `deadheat record` runs a program (run_battery.py says how cases share JVMs). A pair belongs to the case
one of whose classes is at one of its events; a pair that belongs to none fails the run too.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from collections import defaultdict

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import run_battery  # noqa: E402  (the folder of the battery is no package)

ANALYSES = ["hb", "shb", "syncp"]


class TraceBattery:
    def __init__(self, args):
        self.args = args
        self.battery = run_battery.Battery(args)

    def trace_words(self, *words):
        return [self.args.deadheat, "trace", *words]

    def record(self, numbered):
        number, cases = numbered
        outcome = self.battery.run(number, cases)
        traces = sorted((outcome.folder / "run").glob("jvm-*/trace"))
        return cases, outcome, traces[0] if traces else None

    def racy_pairs(self, trace):
        """{(analysis, i, j)} with 1-based numbers."""
        command = self.trace_words("analyse", "--with", ",".join(ANALYSES), "--json", str(trace))
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{shlex.join(command)}\n{done.stdout[:500]}{done.stderr[:500]}")
        pairs = set()
        for line in done.stdout.splitlines():
            found = json.loads(line)
            pairs |= {(found["analysis"], i, j) for i, j in found["pairs"]}
            seen = {j for _, j in found["pairs"]}
            pairs |= {(found["analysis"], j, j) for j in found["racy"] if j not in seen}
        return pairs

    def events(self, trace, wanted):
        command = self.trace_words("cat", str(trace))
        found = {}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as cat:
            for number, line in enumerate(cat.stdout, 1):
                if number in wanted:
                    found[number] = line.strip()
        return found

    def verdicts(self, cases, outcome, trace):
        """(case name, what is wrong or "") for each case of one JVM, and for pairs of no case."""
        if trace is None:
            yield "(trace)", "nothing was recorded: " + outcome.trouble
            return
        try:
            pairs = self.racy_pairs(trace)
        except RuntimeError as error:
            yield "(analysis)", str(error)
            return
        events = self.events(trace, {number for _, i, j in pairs for number in (i, j)})
        wrong = defaultdict(lambda: defaultdict(set))
        for analysis, i, j in pairs:
            text = events[i] + " " + events[j]
            owner = next((c.name for c in cases if c.name in self.named(text)), None)
            owner = owner or (cases[0].name if len(cases) == 1 else "(no case)")
            wrong[owner][self.describe(events[i], events[j])].add(analysis)
        # Those behind it did not begin.
        late = next((case.name for case in cases if case.name not in outcome.ended), None)
        if late:
            yield late, f"did not end ({outcome.trouble}), nor did those behind it: {len(cases) - len(outcome.ended)} cases"
        racy = {case.name for case in cases if case.races}
        for name in sorted(racy & outcome.ended - set(wrong)):
            yield name, "missed: no analysis calls a pair racy"
        for name, found in wrong.items():
            if name in racy:
                continue
            # The least of an analysis: "hb shb syncp: … and …".
            told = sorted(f"{' '.join(sorted(by))}: {what}" for what, by in found.items())
            yield name, f"false alarm, {len(told)} pairs of lines: " + "; ".join(told[:3])

    @staticmethod
    def named(text):
        return {f"{group}.{case}" for group, case in re.findall(r"semantics/(\w+Cases)\$(\w+?_(?:no)?race)", text)}

    @staticmethod
    def describe(one, other):
        return " and ".join(sorted(line.split("|", 1)[1] for line in (one, other)))

    def replay(self, name):
        args = self.args
        again = [sys.executable, __file__, "--java", args.java, "--agent", args.agent, "--deadheat", args.deadheat, "--seed", str(args.seed),
                 "--order", args.order, *(["--native", args.native] if args.native else []), "--classes", *args.classes, "--work",
                 str(args.work / "replay"), "--cases", name]
        return shlex.join(str(part) for part in again)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    run_battery.add_arguments(parser, ["*_norace"])
    parser.add_argument("--deadheat", required=True, help="the deadheat program")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    run_battery.resolve_paths(args)
    args.deadheat = os.path.abspath(args.deadheat)
    args.agent_opts = f"engine=schedule,strategy=slices,seed={args.seed},trace=on,time_limit={int(args.timeout) - 20}".split(",")
    args.java_opts = []
    return args


def main():
    args = parse_arguments()
    battery = TraceBattery(args)
    cases = battery.battery.cases()
    if not cases:
        sys.exit("run_trace_battery.py: no case matches " + " ".join(args.cases))
    shutil.rmtree(args.work, ignore_errors=True)
    batches = run_battery.in_batches(cases)
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for batch, outcome, trace in pool.map(battery.record, enumerate(batches)):
            bad = False
            for name, wrong in battery.verdicts(batch, outcome, trace):
                bad = True
                failures += 1
                print(f"FAIL {name} [{args.order}]: {wrong}\n  folder: {outcome.folder}", flush=True)
                if not name.startswith("("):
                    print(f"  alone:  {battery.replay(name)}", flush=True)
            if not bad:
                shutil.rmtree(outcome.folder)
    print(f"{len(cases)} cases in {len(batches)} JVMs of JDK {battery.battery.jdk}, order {args.order}, seed {args.seed}: {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
