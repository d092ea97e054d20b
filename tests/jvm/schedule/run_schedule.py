#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs under the controlled scheduler. usage: run_schedule.py CHECK --java JAVA --agent LIB --classes DIR [--runs N]"""
import argparse
import glob
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
CLOCK = 1_700_000_000_000  # the model's time starts here


class Run:
    def __init__(self, arguments, program, options, jvm_options=()):
        self.folder = tempfile.mkdtemp(dir=arguments.folder)
        text = ",".join([f"dir={self.folder}", "engine=schedule", f"clock={CLOCK}", "time_limit=120"] + options)
        self.command = [arguments.java, *jvm_options, f"-agentpath:{arguments.agent}={text}", "-cp", arguments.classes, program]
        done = subprocess.run(self.command, capture_output=True, text=True)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        (jvm,) = glob.glob(os.path.join(self.folder, "jvm-*"))
        with open(os.path.join(jvm, "records.jsonl"), encoding="utf-8") as file:
            self.records = [json.loads(line) for line in file]
        self.decisions = os.path.join(jvm, "decisions")
        with open(self.decisions, "rb") as file:
            self.hash = hashlib.sha256(file.read()).hexdigest()

    def of(self, kind):
        return [record for record in self.records if record["type"] == kind]

    @property
    def outcome(self):
        return self.of("schedule")[0]


def expect(condition, what, run):
    if not condition:
        sys.exit(f"FAILED: {what}\n  {' '.join(run.command)}\n  status {run.status}\n{run.out}{run.err}\n  {run.of('schedule')}")


def version(arguments):
    about = subprocess.run([arguments.java, "-version"], capture_output=True, text=True).stderr
    return int(about.split('"')[1].split(".")[0])


def repeatable(arguments):
    few = arguments.runs
    for options, runs in ((["seed=1"], arguments.many), (["seed=2"], few), (["strategy=pct", "seed=3"], few), (["strategy=pos", "seed=4"], few)):
        first = Run(arguments, "Repeatable", options)
        expect(first.status == 0 and first.outcome["ended"], "the program ends by itself", first)
        for _ in range(runs - 1):
            again = Run(arguments, "Repeatable", options)
            expect(again.hash == first.hash, f"the same decisions as in {first.folder}", again)
            expect(again.out == first.out, "the same output", again)
        replayed = Run(arguments, "Repeatable", ["strategy=replay", f"replay={first.decisions}"])
        expect("diverged" not in replayed.outcome, "the replay does not diverge", replayed)
        expect(replayed.out == first.out, "the replay has the same output", replayed)
    other = Run(arguments, "Repeatable", ["seed=99"])
    expect(other.hash != first.hash, "another seed is another schedule", other)


def modes(arguments):
    for mode in (["-Xint"], ["-Xcomp", "-XX:TieredStopAtLevel=1"], ["-Xverify:all"]):
        run = Run(arguments, "Repeatable", ["seed=5"], mode)
        expect(run.status == 0 and run.outcome["ended"], f"ends with {mode}", run)


def deadlock(arguments):
    found = 0
    for seed in range(1, 21):
        run = Run(arguments, "Deadlock", [f"seed={seed}"])
        if run.of("deadlock"):
            found += 1
            report = run.of("deadlock")[0]
            expect(run.status == 66, "a deadlock ends the process", run)
            expect(len(report["cycle"]) == 2, "the cycle has both threads", run)
            names = {thread["thread"]["name"] for thread in report["threads"]}
            expect({"first", "second"} <= names, "both threads are named", run)
            stuck = [thread for thread in report["threads"] if thread["thread"]["name"] == "first"][0]
            expect(stuck["stack"][0]["method"] == "nested", "with their stacks", run)
            again = Run(arguments, "Deadlock", [f"seed={seed}"])
            expect(again.hash == run.hash and again.status == 66, "the same deadlock again", again)
        else:
            expect(run.status == 0 and run.out == "ended\n", "or the program ends", run)
    if found in (0, 20):
        sys.exit(f"FAILED: {found} deadlocks in 20 seeds")


def cycle(arguments):
    for seed in range(1, 4):
        run = Run(arguments, "Cycle", [f"seed={seed}"])
        expect(run.status == 66, "a deadlock ends the process", run)
        (report,) = run.of("deadlock")
        threads = {thread["thread"]["name"]: thread for thread in report["threads"]}
        circle = ["first", "second", "third", "fourth"]
        expect(report["cycle"] == [threads[name]["scheduled_name"] for name in circle], f"the cycle is that of {circle}: {report}", run)
        expect([threads[name]["awaits"] for name in circle] == ["monitor", "lock", "lock", "end"], f"what they wait for: {report}", run)
        for name, holder in zip(circle, circle[1:] + circle[:1]):
            expect(threads[name]["holder"] == holder, f"{name} waits for {holder}", run)
            # Not of a thread that is waited for, and of a write lock the side is told too.
            held = [lock.split(" ")[0] for lock in threads[holder]["locks"]]
            expect(name == "fourth" or threads[name]["lock"] in held, f"{holder} holds what {name} waits for: {report}", run)
        expect(threads["first"]["lock"] not in threads["first"]["locks"], "two monitors of one class are told apart", run)
        beside = {name: threads[name]["awaits"] for name in ("main", "waiting", "parked")}
        expect(beside == {"main": "end", "waiting": "notify", "parked": "permit"}, f"what the others wait for: {beside}", run)


def polling(arguments):
    strategies = (["seed=1"], ["seed=2"], ["strategy=pct", "seed=3"], ["strategy=pos", "seed=4"], ["strategy=slices", "seed=5"])
    for options in strategies:
        run = Run(arguments, "Polling", options)
        expect(run.status == 0 and run.outcome["ended"], "the program ends by itself", run)
        expect(sorted(run.out.splitlines()) == ["clocks", "in", "state of mine: RUNNABLE", "states", "woken"], "its output", run)
        expect(run.outcome["put_aside"] == 0, "nobody is set aside", run)
    again = Run(arguments, "Polling", options)
    expect(again.hash == run.hash, "the same decisions again", again)


def indirect(arguments):
    ways = ("direct", "references", "reflection", "handles")
    wanted = [f"{put} {take} 780" for put in ways for take in ways]
    wanted += [f"{way} late interrupted IllegalMonitorStateException" for way in ways] + ["slept 2 hours"]
    # JDK 17 links method handles through tables of classes by the VM's own hash: the number of steps differs now and then.
    is_repeatable = version(arguments) > 17
    for options in (["seed=1"], ["seed=2", "detect=on"], ["strategy=pct", "seed=3", "detect=on"], ["strategy=pos", "seed=4"], ["strategy=slices", "trace=on"]):
        run = Run(arguments, "Indirect", options)
        expect(run.status == 0 and run.outcome["ended"], "the program ends by itself", run)
        expect(run.out.splitlines() == wanted and run.err == "", "its output", run)
        expect(run.outcome["put_aside"] == 0, "nobody is set aside", run)
        expect(not run.of("race"), "no alarm", run)
        if is_repeatable:
            again = Run(arguments, "Indirect", options)
            expect(again.hash == run.hash, "the same decisions again", again)


def virtual(arguments):
    if version(arguments) < 21:
        sys.exit(SKIPPED)
    outputs = set()
    for options in (["seed=1"], ["seed=2"], ["strategy=pct", "seed=3"], ["strategy=pos", "seed=4"]):
        first = Run(arguments, "Virtual", options)
        expect(first.status == 0 and first.outcome["ended"], "the program ends by itself", first)
        expect(first.outcome["put_aside"] == 0, "nobody is set aside", first)
        lines = first.out.splitlines()
        expect(sorted(lines[0][:15]) == sorted("abc" * 5) and lines[0].endswith("TERMINATEDtrue"), "what the threads did", first)
        expect(lines[3] == "interrupted", "the interrupt", first)
        (record,) = first.of("uncaught")
        expect(record["exception"] == "java.lang.IllegalStateException", "the uncaught exception", first)
        again = Run(arguments, "Virtual", options)
        expect(again.hash == first.hash and again.out == first.out, "the same again", again)
        outputs.add(first.out)
    expect(len(outputs) > 1, "other seeds, other orders", first)


def uncaught(arguments):
    run = Run(arguments, "Uncaught", ["seed=1"])
    expect(run.status == 7, "the program's own exit status", run)
    (record,) = run.of("uncaught")
    expect(record["exception"] == "java.lang.IllegalStateException" and record["message"] == "on purpose", "the exception", run)
    expect(record["thread"]["name"] == "thrower" and record["stack"], "its thread and stack", run)


CHECKS = {"repeatable": repeatable, "modes": modes, "deadlock": deadlock, "cycle": cycle, "uncaught": uncaught, "polling": polling, "indirect": indirect, "virtual": virtual}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("check", choices=CHECKS)
    parser.add_argument("--java", required=True)
    parser.add_argument("--agent", required=True)
    parser.add_argument("--classes", required=True)
    parser.add_argument("--runs", type=int, default=5, help="of one seed (default: 5)")
    parser.add_argument("--many", type=int, default=100, help="of the first seed of Repeatable: one seed is one execution, 100 times (default: 100)")
    arguments = parser.parse_args()
    arguments.folder = tempfile.mkdtemp(prefix="schedule_test.")
    CHECKS[arguments.check](arguments)
    shutil.rmtree(arguments.folder)  # of a check that failed it stays


main()
