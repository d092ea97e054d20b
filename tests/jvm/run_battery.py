#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of tests/jvm/semantics under the agent and compares the races it reports with those the cases have.

A case whose name ends in _race must have at least one race, and only on the variables it names; one in _norace none. A
race that belongs to no case fails the run. With --candidates, for detectors of possible races, only what is missed is wrong. Each race is reported once per pair of sites in a JVM, so cases that may meet at
the same lines of the JDK get different JVMs; all others share one. Nothing is repeated: a case runs once.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field

PACKAGE = "semantics"
MAIN = f"{PACKAGE}.Harness"
JVM_OPTIONS = [
    "-Xmx512m",
    "-XX:+UseSerialGC",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+BytecodeVerificationLocal",
    "-XX:+BytecodeVerificationRemote",
    "-Djava.util.concurrent.ForkJoinPool.common.parallelism=3",
    "-Djdk.virtualThreadScheduler.parallelism=3",
]
# A JVM of a few cases ends before the second compiler has anything to do for them: without it, it needs a fifth less of a processor.
FEW_CASES = 30
FEW_CASES_OPTIONS = ["-XX:TieredStopAtLevel=1"]
NATIVE_OPTION_SINCE = 22  # silences the warning that System.load prints
UNSAFE_OPTION_SINCE = 23  # silences the warning that sun.misc.Unsafe prints from JDK 24 on


@dataclass
class Case:
    name: str
    variables: list
    alone: bool
    jvm_options: list

    @property
    def races(self):
        return not self.name.endswith("_norace")

    @property
    def class_name(self):
        return f"{PACKAGE}." + self.name.replace(".", "$")

    @property
    def jdk_variables(self):
        return [v for v in self.variables if "." in v]


@dataclass
class Outcome:
    """What one JVM did."""

    folder: pathlib.Path
    command: list
    races: list = field(default_factory=list)
    skipped: list = field(default_factory=list)
    trouble: str = ""
    ended: set = field(default_factory=set)


def read_records(path):
    """The records of one JVM; what a killed one did not finish writing is left out."""
    for line in path.read_text(errors="replace").splitlines():
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            return


def owns(case, class_name):
    return class_name == case.class_name or class_name.startswith(case.class_name + "$")


def stacks(race):
    return [access.get("stack", []) for access in race["accesses"]]


def owner_of(race, cases):
    """The case of a race: that of its variable, else the first one on a stack, else the only one there is."""
    names = [race["variable"].get("class", "")]
    names += [frame["class"] for stack in stacks(race) for frame in stack]
    for name in names:
        for case in cases:
            if owns(case, name):
                return case
    return cases[0] if len(cases) == 1 else None


def is_expected(race, case):
    variable = race["variable"]
    prefixes = tuple(case.jdk_variables)
    if variable["kind"] == "array":  # known by who accesses it
        own = "[]" in case.variables
        tops = [stack[0]["class"] for stack in stacks(race) if stack]
        return all((own and owns(case, name)) or name.startswith(prefixes) for name in tops)
    if owns(case, variable["class"]):
        return variable["field"] in case.variables
    return variable["class"].startswith(prefixes)


def name_of(race):
    variable = race["variable"]
    what = "array element" if variable["kind"] == "array" else f"{variable['class']}.{variable['field']}"
    at = ["{class}.{method}:{line}".format(**stack[0]) for stack in stacks(race) if stack]
    return f"{what} ({' and '.join(at)})"


def in_batches(cases):
    """Cases that share a JVM. Racy cases on the same JDK class do not; nor does a race-free one with a racy one of the JDK."""
    batches = []
    shared = [c for c in cases if not c.alone and not c.jdk_variables]
    if shared:
        batches.append(shared)
    packed = []
    for case in cases:
        if case.alone:
            batches.append([case])
        elif case.jdk_variables:
            keys = set(case.jdk_variables)
            for used, batch in packed:
                if not used & keys:
                    used |= keys
                    batch.append(case)
                    break
            else:
                packed.append((keys, [case]))
    return batches + [batch for _, batch in packed]


class Battery:
    def __init__(self, args):
        self.args = args
        self.jdk = self.version()
        self.class_path = os.pathsep.join(args.classes)

    def version(self):
        text = subprocess.run([self.args.java, "-XshowSettings:properties", "-version"], capture_output=True, text=True, check=True).stderr
        return int(re.search(r"java\.specification\.version = (?:1\.)?(\d+)", text).group(1))

    def java(self, *rest):
        unsafe = ["--sun-misc-unsafe-memory-access=allow"] if self.jdk >= UNSAFE_OPTION_SINCE else []
        access = ["--enable-native-access=ALL-UNNAMED"] if self.jdk >= NATIVE_OPTION_SINCE else []
        native = [f"-Dsemantics.native={self.args.native}"] if self.args.native else []
        return [self.args.java, *JVM_OPTIONS, *unsafe, *access, *native, *rest]

    def cases(self):
        listed = subprocess.run(self.java("-cp", self.class_path, MAIN, "list"), capture_output=True, text=True)
        if listed.returncode != 0:
            sys.exit(f"run_battery.py: the cases cannot be listed\n{listed.stderr}")
        found = []
        for line in listed.stdout.splitlines():
            name, variables, alone, options = line.split("\t")
            found.append(Case(name, [v for v in variables.split(",") if v], bool(alone), options.split()))
        wanted = [c for c in found if any(fnmatch.fnmatchcase(c.name, p) for p in self.args.cases)]
        return [c for c in wanted if not any(fnmatch.fnmatchcase(c.name, p) for p in self.args.leave_out)]

    def command(self, cases, folder):
        options = ",".join(["dir=" + str(folder)] + self.args.agent_opts)
        own = FEW_CASES_OPTIONS if len(cases) < FEW_CASES else []
        own = own + [option for case in cases for option in case.jvm_options]
        return self.java(f"-agentpath:{self.args.agent}={options}", *own, *self.args.java_opts, "-cp", self.class_path, MAIN, self.args.order,
                         *[c.name for c in cases])

    def run(self, number, cases):
        folder = self.args.work / str(number)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        outcome = Outcome(folder, self.command(cases, folder / "run"))
        with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
            try:
                status = subprocess.run(outcome.command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder,
                                        timeout=self.args.timeout).returncode
            except subprocess.TimeoutExpired:
                status = None
        output = (folder / "stdout").read_text(errors="replace").splitlines()
        outcome.ended = {line[4:] for line in output if line.startswith("end ")}
        if status is None:
            outcome.trouble = f"nothing more after {self.args.timeout} s"
        elif status not in (0, 66):
            outcome.trouble = f"exit status {status}"
        records = list((folder / "run").glob("jvm-*/records.jsonl"))
        lines = [record for path in records for record in read_records(path)]
        outcome.races = [record for record in lines if record["type"] == "race"]
        outcome.skipped = [f"{record['class']}.{record['method']}: {record['reason']}" for record in lines if record["type"] == "skipped_method"]
        if not outcome.trouble and not any(record["type"] == "end" for record in lines):
            outcome.trouble = "the agent wrote no end record"
        return outcome

    def verdicts(self, cases, outcome):
        """(case name, what is wrong or "") for each case of one JVM, and for races of no case."""
        by_case = defaultdict(list)
        for race in outcome.races:
            owner = owner_of(race, cases)
            by_case[owner.name if owner else None].append(race)
        for race in [] if self.args.candidates else by_case[None]:
            yield "(no case)", "a race that belongs to no case: " + name_of(race)
        if outcome.skipped:
            yield "(skipped methods)", "; ".join(outcome.skipped)
        for case in cases:
            races = by_case[case.name]
            if case.name not in outcome.ended:
                yield case.name, "did not end: " + outcome.trouble
            elif case.races and not races:
                yield case.name, "missed: no race reported"
            else:
                wrong = [r for r in races if not is_expected(r, case) and not self.args.candidates]
                yield case.name, "false alarm: " + "; ".join(map(name_of, wrong)) if wrong else ""

    def replay(self, case):
        alone = [sys.executable, __file__, "--java", self.args.java, "--agent", self.args.agent, "--agent-opts", ",".join(self.args.agent_opts),
                 "--java-opts", " ".join(self.args.java_opts), *(["--candidates"] if self.args.candidates else []), *(["--native", self.args.native] if self.args.native else []), "--order", self.args.order, "--classes", *self.args.classes, "--work",
                 str(self.args.work / "replay"), "--keep", "--cases", case]
        return shlex.join(str(part) for part in alone)


class KnownFailures:
    """The file of cases that fail for a reason known: CASE | CONDITION… | reason.

    They must fail, or leave the file; under the condition "sometimes" they may pass, where threads of the JDK decide it.
    """

    def __init__(self, path, conditions):
        self.cases = {}
        self.sometimes = set()
        for number, line in enumerate(path.read_text().splitlines() if path else [], 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = [part.strip() for part in line.split("|")]
            if len(parts) != 3:
                sys.exit(f"{path}:{number}: not CASE | CONDITIONS | reason")
            wanted = set(parts[1].split())
            if "sometimes" in wanted:
                self.sometimes.add(parts[0])
            if wanted <= conditions | {"sometimes"}:
                self.cases[parts[0]] = parts[2]


def add_arguments(parser, cases):
    """The options of everything that runs cases; `cases`: the patterns of those that run by default."""
    parser.add_argument("--java", required=True, help="the java program to test")
    parser.add_argument("--agent", required=True, help="libdeadheat.so")
    parser.add_argument("--order", choices=["ab", "ba"], default="ab", help="which thread goes first")
    parser.add_argument("--classes", nargs="+", required=True, help="folders of compiled cases")
    parser.add_argument("--native", help="the library of the cases with native code")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for the JVMs' output; emptied first")
    parser.add_argument("--cases", nargs="+", default=cases, help="patterns of case names")
    parser.add_argument("--leave-out", nargs="+", default=[], help="patterns of case names that are not run")
    parser.add_argument("--jobs", type=int, default=1, help="JVMs at once")
    parser.add_argument("--timeout", type=float, default=500, help="seconds for one JVM")


def resolve_paths(args):
    args.work = args.work.resolve()
    args.agent = os.path.abspath(args.agent)
    args.native = args.native and os.path.abspath(args.native)
    args.classes = [os.path.abspath(c) for c in args.classes]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_arguments(parser, ["*"])
    parser.add_argument("--agent-opts", default="", help="agent options, comma separated")
    parser.add_argument("--java-opts", default="", help="further JVM options, space separated")
    parser.add_argument("--candidates", action="store_true", help="reports of what is no race are not wrong")
    parser.add_argument("--known", type=pathlib.Path, help="file of known failures")
    parser.add_argument("--keep", action="store_true", help="keep the output of JVMs whose cases all passed")
    args = parser.parse_args()
    resolve_paths(args)
    args.agent_opts = [o for o in args.agent_opts.split(",") if o]
    args.java_opts = args.java_opts.split()
    return args


def main():
    args = parse_arguments()
    battery = Battery(args)
    fast_path = "fast_path=off" if "fast_path=off" in args.agent_opts else "fast_path=on"
    known = KnownFailures(args.known, {f"jdk={battery.jdk}", f"order={args.order}", fast_path, *args.agent_opts})
    cases = battery.cases()
    if not cases:
        sys.exit("run_battery.py: no case matches " + " ".join(args.cases))
    shutil.rmtree(args.work, ignore_errors=True)
    batches = in_batches(cases)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        outcomes = list(pool.map(battery.run, range(len(batches)), batches))

    failures = []
    expected = 0
    for batch, outcome in zip(batches, outcomes):
        bad = False
        for name, wrong in battery.verdicts(batch, outcome):
            if wrong and name in known.cases:
                expected += 1
            elif wrong:
                failures.append((name, wrong, outcome))
                bad = True
            elif name in known.cases and name not in known.sometimes:
                failures.append((name, "passes, though it is in the file of known failures: take it out", outcome))
        if not bad and not args.keep:
            shutil.rmtree(outcome.folder)
    for name, wrong, outcome in failures:
        print(f"FAIL {name} [{args.order}]: {wrong}")
        if not name.startswith("("):
            print(f"  alone:  {battery.replay(name)}")
        print(f"  folder: {outcome.folder}")
    races = sum(c.races for c in cases)
    print(f"{len(cases)} cases ({races} racy, {len(cases) - races} race-free) in {len(batches)} JVMs of JDK {battery.jdk}, order {args.order}, "
          f"{fast_path}: {len(failures)} failures, {expected} known ones")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
