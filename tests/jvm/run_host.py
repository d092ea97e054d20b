#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of tests/jvm/host plain and with the agent, and demands that nobody can tell the difference.

A check runs a program twice or more and returns what it found wrong, by name: "" is a pass. A program that prints "== NAME" lines
gives one result for each such part, named CHECK/NAME. Nothing is repeated, nothing waits for time to pass.
"""

import argparse
import concurrent.futures
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import traceback
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "host"))
sys.dont_write_bytecode = True

VERIFY = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal", "-XX:+BytecodeVerificationRemote"]


@dataclass
class Outcome:
    """What one process did."""

    command: list
    status: int  # as Popen: -N when signal N killed it; None: ran into the time limit
    out: str
    err: str
    folder: pathlib.Path

    def records(self, pattern="run/jvm-*/records.jsonl"):
        """The agent's records, all lines that are whole."""
        found = []
        for path in sorted(self.folder.glob(pattern)):
            for line in path.read_text(errors="replace").split("\n")[:-1]:
                found.append(json.loads(line))
        return found


class Skip(Exception):
    """Raised by a check that cannot run here, with the reason."""


class Check:
    """What a check's function gets: ways to run a program, in a folder of the check's own."""

    def __init__(self, args, jdk, name):
        self.args = args
        self.jdk = jdk
        self.name = name
        self.folder = args.work / name
        self.commands = []
        self.java_home = pathlib.Path(args.java).parent.parent

    def class_path(self, *more):
        return os.pathsep.join([*self.args.classes, *map(str, more)])

    def subfolder(self, label):
        folder = self.folder / label
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def agent_option(self, folder, more=""):
        return f"-agentpath:{self.args.agent}=dir={folder / 'run'}{more}"

    def start(self, label, command, env=None, stdin=subprocess.DEVNULL, cwd=None, preexec=None, binary_out=None):
        """Starts a process with its output in files of the folder LABEL."""
        folder = self.subfolder(label)
        self.commands.append(shlex.join(map(str, command)))
        (folder / "command").write_text(self.commands[-1] + "\n")
        with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
            return subprocess.Popen(list(map(str, command)), stdin=stdin, stdout=out, stderr=err, cwd=cwd or folder, env={**clean_environment(), **(env or {})},
                                    preexec_fn=preexec)

    def finish(self, label, process, timeout=None):
        folder = self.subfolder(label)
        try:
            status = process.wait(timeout or self.args.timeout)
        except subprocess.TimeoutExpired:
            status = None
            process.send_signal(signal.SIGQUIT)  # a JVM answers with a thread dump, on its standard output
            try:
                process.wait(3)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        read = lambda name: (folder / name).read_text(errors="replace")
        return Outcome(process.args, status, read("stdout"), read("stderr"), folder)

    def run(self, label, command, timeout=None, **how):
        return self.finish(label, self.start(label, command, **how), timeout)

    def java_command(self, label, main, *args, vm=(), agent=False, options="", class_path=()):
        added = [self.agent_option(self.subfolder(label), options)] if agent else []
        return [self.args.java, *added, *vm, "-cp", self.class_path(*class_path), main, *args]

    def java(self, label, main, *args, vm=(), agent=False, options="", class_path=(), **how):
        return self.run(label, self.java_command(label, main, *args, vm=vm, agent=agent, options=options, class_path=class_path), **how)


def clean_environment():
    return {k: v for k, v in os.environ.items() if not k.endswith("JAVA_TOOL_OPTIONS") and k not in ("_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH")} | {"LC_ALL": "C.UTF-8"}


def sections(text):
    """The parts of an output, by name; what comes before the first has the name ""."""
    parts = {"": []}
    name = ""
    for line in text.splitlines():
        if line.startswith("== "):
            name = line[3:]
            parts[name] = []
        else:
            parts[name].append(line)
    return parts


def first_difference(plain, watched):
    for number in range(max(len(plain), len(watched))):
        a = plain[number] if number < len(plain) else "(nothing)"
        b = watched[number] if number < len(watched) else "(nothing)"
        if a != b:
            return f"line {number + 1} is {b[:300]!r} instead of {a[:300]!r}"
    return ""


def status_text(status):
    if status is None:
        return "it did not end"
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"


def log_trouble(outcome, ends=True, may_warn=False):
    """What is wrong with the agent's records of a program that ended by itself."""
    records = outcome.records()
    types = [record["type"] for record in records]
    if types[:1] != ["start"]:
        return "the agent wrote no start record"
    warnings = [record["message"] for record in records if record["type"] == "warning"]
    if warnings and not may_warn:
        return f"the agent warns: {warnings[0]}"
    return "the agent wrote no end record" if ends and "end" not in types else ""


def compare(plain, watched, stderr=True, ends=True, normal=lambda text: text, may_warn=False):
    """What the agent changed, by part of the output; "" is the part that is the process itself. MAY_WARN: one line of ours on stderr is no change."""
    ours = [line for line in watched.err.splitlines() if line.startswith("deadheat:")]
    if may_warn and len(ours) == 1:
        watched = dataclasses.replace(watched, err=watched.err.replace(ours[0] + "\n", ""))
    results = {}
    whole = []
    if plain.status is None:
        whole.append("the plain program did not end")
    if "Could not find or load main class" in plain.err:
        whole.append("there is no such program: " + plain.err.splitlines()[0])
    if plain.status != watched.status:
        whole.append(f"{status_text(watched.status)} instead of {status_text(plain.status)}")
    if stderr and normal(plain.err) != normal(watched.err):
        whole.append("stderr: " + first_difference(normal(plain.err).splitlines(), normal(watched.err).splitlines()))
    if not whole:
        whole.append(log_trouble(watched, ends, may_warn))
    a, b = sections(normal(plain.out)), sections(normal(watched.out))
    for name in list(a) + [n for n in b if n not in a]:
        if name not in b:
            results[name] = "missing"
        else:
            results[name] = first_difference(a.get(name, []), b[name])
    head = results.pop("", "")
    results[""] = "; ".join(part for part in [*whole, head] if part)
    return results


class KnownFailures:
    """Results that are wrong for a reason known: NAME | CONDITION… | reason. They must fail, or leave the file.

    The conditions are jdk=N, and "sometimes": the result may pass as well.
    """

    def __init__(self, path, jdk):
        self.rows = []
        for number, line in enumerate(path.read_text().splitlines() if path else [], 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = [part.strip() for part in line.split("|")]
            if len(parts) != 3:
                sys.exit(f"{path}:{number}: not NAME | CONDITIONS | reason")
            conditions = set(parts[1].split())
            if conditions - {"sometimes"} <= {f"jdk={jdk}"}:
                self.rows.append((parts[0], "sometimes" in conditions))

    def find(self, name):
        """None, or whether it may pass."""
        for pattern, sometimes in self.rows:
            if fnmatch.fnmatchcase(name, pattern):
                return sometimes
        return None


def run_check(args, jdk, name, function):
    check = Check(args, jdk, name)
    began = time.monotonic()
    shutil.rmtree(check.folder, ignore_errors=True)
    check.folder.mkdir(parents=True)
    try:
        found = function(check)
    except Skip as why:
        return check, {}, str(why)
    except Exception:  # a broken check is a failed one
        found = {"": traceback.format_exc()}
    if args.verbose:
        print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)
    if not isinstance(found, dict):
        found = {"": found or ""}
    return check, {name + ("/" + part if part else ""): wrong for part, wrong in found.items()}, ""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--java", required=True, help="the java program to test")
    parser.add_argument("--agent", required=True, help="libdeadheat.so")
    parser.add_argument("--deadheat", required=True, help="the deadheat program")
    parser.add_argument("--native", required=True, help="the programs' own native library")
    parser.add_argument("--classes", nargs="+", required=True, help="folders of compiled programs")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for what the programs write; emptied first")
    parser.add_argument("--only", nargs="+", default=["*"], help="patterns of check names")
    parser.add_argument("--known", type=pathlib.Path, help="file of known failures")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="checks at once")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one process")
    parser.add_argument("--keep", action="store_true", help="keep the folders of checks that passed")
    parser.add_argument("--verbose", action="store_true", help="also print passes, known failures and times")
    args = parser.parse_args()
    args.work = args.work.resolve()
    args.classes = [os.path.abspath(c) for c in args.classes]
    for name in ("agent", "deadheat", "native"):
        setattr(args, name, os.path.abspath(getattr(args, name)))
    return args


def repeat_command(args, name):
    parts = [sys.executable, __file__, "--java", args.java, "--agent", args.agent, "--deadheat", args.deadheat, "--native", args.native,
             "--classes", *args.classes, "--work", args.work.parent / "repeat", "--keep", "--only", name]
    return shlex.join(map(str, parts))


def main():
    args = parse_arguments()
    sys.modules["run_host"] = sys.modules["__main__"]  # the checks import from here
    import checks  # tests/jvm/host/checks.py: the table of checks

    settings = subprocess.run([args.java, "-XshowSettings:properties", "-version"], capture_output=True, text=True, check=True).stderr
    jdk = int(re.search(r"java\.specification\.version = (?:1\.)?(\d+)", settings).group(1))
    known = KnownFailures(args.known, jdk)
    chosen = {n: f for n, f in checks.all_checks(jdk).items() if any(fnmatch.fnmatchcase(n, p) for p in args.only)}
    if not chosen:
        sys.exit("run_host.py: no check matches " + " ".join(args.only))
    shutil.rmtree(args.work, ignore_errors=True)
    args.work.mkdir(parents=True)
    totals = {"passed": 0, "failed": 0, "known": 0, "skipped": 0}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        running = [pool.submit(run_check, args, jdk, name, function) for name, function in chosen.items()]
        for future in concurrent.futures.as_completed(running):
            check, results, skipped = future.result()
            failures = []
            if skipped:
                totals["skipped"] += 1
                print(f"SKIP {check.name}: {skipped}")
            for name, wrong in results.items():
                may_pass = known.find(name)
                if wrong and may_pass is not None:
                    totals["known"] += 1
                    if args.verbose:
                        print(f"known {name}: {wrong}")
                elif wrong:
                    failures.append((name, wrong))
                elif may_pass is False:
                    failures.append((name, "passes, though it is in the file of known failures: take it out"))
                else:
                    totals["passed"] += 1
            totals["failed"] += len(failures)
            for name, wrong in failures:
                print(f"FAIL {name}: {wrong}")
            if failures:
                for command in check.commands:
                    print(f"  ran:    {command}")
                print(f"  repeat: {repeat_command(args, check.name)}\n  folder: {check.folder}", flush=True)
            elif not args.keep:
                shutil.rmtree(check.folder, ignore_errors=True)
    print(f"JDK {jdk}: {len(chosen)} checks, " + ", ".join(f"{count} {what}" for what, count in totals.items()))
    return 1 if totals["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
