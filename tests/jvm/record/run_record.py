#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records a program with something of everything. usage: run_record.py --java JAVA --deadheat PROGRAM --classes DIR"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile


class Recording:
    def __init__(self, arguments, folder, seed, program=("Recorded",), options=()):
        self.arguments = arguments
        self.file = os.path.join(folder, f"trace-{seed}")
        self.command = [arguments.deadheat, "record", "-o", self.file, "--seed", str(seed), "--state", os.path.join(folder, "state"),
                        "--time-limit", "120", *options, "--", arguments.java, "-Xverify:all", "-cp", arguments.classes, *program]
        done = subprocess.run(self.command, capture_output=True, text=True, timeout=280)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    def trace(self, *words):
        done = subprocess.run([self.arguments.deadheat, "trace", *words, self.file], capture_output=True, text=True)
        return done.returncode, done.stdout

    def lines(self):
        return self.trace("cat")[1].splitlines()

    def racy_variables(self, analysis):
        status, out = self.trace("analyse", "--with", analysis, "--json")
        self.expect(status == 0, f"{analysis} takes the trace: {out}")
        found = json.loads(out)
        lines = self.lines()
        return {re.sub(r"@\d+", "", lines[number - 1].split("|")[1][2:-1]) for number in found["racy"]}

    def expect(self, condition, what):
        if not condition:
            sys.exit(f"FAILED: {what}\n  {' '.join(self.command)}\n  status {self.status}\n{self.out}{self.err}")


# What must be there, as text without numbers of objects. Threads are named by who started them.
WANTED = [
    r"0\|start\|", r"0\|fork\(0\.1\)\|.*Recorded\.run|0\|fork\(0\.1\)\|java/lang/Thread\.start", r"0\.1\|start\|", r"0\.1\|exit\|",
    r"0\|join\(0\.1\)\|", r"0\.1\|w\(Recorded\.racy\)\|Recorded\.worker\(\)V@\d+:Recorded\.java:\d+$",
    r"0\.1\|w\(Recorded@\.guarded\)\|", r"0\.1\|w\(array@\[1\]\)\|Recorded\.worker", r"0\|r\(array@\[3\]\)\|Recorded\.run",
    r"0\.1\|vw\(Recorded@\.flag\)\|Recorded\.worker", r"0\|vr\(Recorded@\.flag\)\|Recorded\.run",
    r"0\.1\|vu\(java\.util\.concurrent\.atomic\.AtomicInteger@\.value\)\|", r"0\.1\|unpark\(permit:0\)\|",
    r"0\|notify\(monitor@,(0\.1)?\)\|Recorded\.run",
]


def handles(arguments, folder):
    """What is accessed by way of a call is told where it happens: whoever saw the value reads it behind the write."""
    orders = set()
    for how in ("handle", "method", "reflection"):
        for words in ((how, "field"), ("field", how)):
            for seed in (1, 2, 3, 4, 8):
                recording = Recording(arguments, folder, seed, ("Handles", *words))
                accesses = [line for line in recording.lines() if re.match(r"0\.\d\|[rw]\(Handles@\d+\.v\)", line)]
                recording.expect(len(accesses) == 2, f"there is a write and a read: {accesses}")
                written_first = accesses[0].split("|")[1].startswith("w")
                recording.expect(recording.out == ("5\n" if written_first else "0\n"), f"the value fits the order: {accesses}")
                orders.add(written_first)
    recording.expect(len(orders) == 2, "there are both orders")


def numbers(arguments, folder):
    """An object has one number, whatever class of its an access is in; a clone has its own."""
    recording = Recording(arguments, folder, 1, ("Numbers",))
    recording.expect(recording.status == 0 and recording.out == "9\n", "the program's own output")
    events = "\n".join(recording.lines())

    def objects(event):
        return list(dict.fromkeys(re.findall(r"^0\|" + event, events, re.M)))

    for one, other in ((r"w\(Numbers\$Base@(\d+)\.base", r"w\(Numbers\$Derived@(\d+)\.derived"),
                       (r"w\(Numbers\$Base@(\d+)\.base", r"acq\(monitor@(\d+)\)\|Numbers\$Derived.lock"),
                       (r"w\(Numbers\$List@(\d+)\.extra", r"w\(java\.util\.ArrayList@(\d+)\.size"),
                       (r"w\(Numbers\$List@(\d+)\.extra", r"w\(java\.util\.AbstractList@(\d+)\.modCount"),
                       (r"w\(Numbers\$Worker@(\d+)\.done", r"acq\(monitor@(\d+)\)\|Numbers\.main")):
        found = objects(one), objects(other)
        recording.expect(found[0] and found[0][0] in found[1], f"one object: {one} and {other}: {found}")
    for clone in (r"w\(Numbers\$Copied@(\d+)\.value", r"w\(Numbers\$List@(\d+)\.extra"):
        recording.expect(len(objects(clone)) == 2, f"two objects: {clone}: {objects(clone)}")


def randoms(arguments, folder):
    """What a program draws at random is the same in every run, and not the same in two threads."""
    once, again = (Recording(arguments, folder, 1, ("Randoms",)) for _ in range(2))
    once.expect(once.out == again.out, f"twice the same: {again.out}")
    first, second = (line.split() for line in once.out.splitlines()[:2])
    hashes = [int(word) for word in once.out.splitlines()[3].split()]
    once.expect(hashes[0::2] == hashes[1::2] and len(set(hashes)) == 4, f"a class has one hash, and classes differ: {hashes}")
    once.expect(len(first) == 6 and all(one != other for one, other in zip(first, second)), "two threads draw different numbers")


def methods(arguments, folder):
    """Where methods are entered and left, when that is asked for; by an exception too. It changes nothing else."""
    plain = Recording(arguments, folder, 1)
    told = Recording(arguments, folder, 1, options=("--methods", "Recorded.nested", "--methods", "*.worker", "--methods", "java.util.*.add*"))
    told.expect(told.out == plain.out and told.status == plain.status, "the program's own output and status")
    status, out = told.trace("check")
    told.expect(status == 0, f"begins and ends fit: {out}")
    lines = told.lines()
    names = re.findall(r"^0\.1\|enter\((Recorded[^)]*)\)", "\n".join(lines), re.M)
    told.expect(names == ["Recorded.worker", "Recorded.nested"], f"those of the second thread: {names}")
    guarded = next(at for at, line in enumerate(lines) if re.match(r"0\.1\|w\(Recorded@\d+\.guarded\)\|Recorded\.nested", line))
    begun = max(at for at, line in enumerate(lines[:guarded]) if line.startswith("0.1|enter(Recorded.nested)"))
    ended = next(at for at, line in enumerate(lines) if at > guarded and line.startswith("0.1|leave(Recorded.nested)"))
    told.expect(begun < guarded < ended, "what a method does is between its begin and its end")

    def others(recording):
        """Without what is asked for and the numbers of objects, which classes of the library have too."""
        kept = [line for line in recording.lines() if not re.search(r"\|(enter|leave)\((Recorded|java)", line)]
        return [re.sub(r"@\d+", "@", line) for line in kept]

    told.expect(others(told) == others(plain), "all other events are the same")


def class_values(arguments, folder):
    """Who finds a class value looks for it behind the write of who has computed it; who computes it has looked before it was there."""
    found = 0
    for seed in range(1, 9):
        recording = Recording(arguments, folder, seed, ("ClassValues",))
        lines = recording.lines()
        value = next(re.search(r"vu\((fields@\d+)\)", line)[1] for line in lines if re.match(r"0\.[12]\|vu\(fields@", line))
        set_at = [at for at, line in enumerate(lines) if f"|vu({value})|" in line]
        for thread, says in zip(("0.1", "0.2"), recording.out.split()):
            looks = [at for at, line in enumerate(lines) if line.startswith(f"{thread}|vr({value})|")]
            match = next((at for at, line in enumerate(lines) if line.startswith(f"{thread}|vr(") and "ClassValue.match(" in line), None)
            theirs = [at for at in set_at if not lines[at].startswith(thread)]
            if match is not None:
                found += 1
                recording.expect(any(theirs and theirs[0] < look < match for look in looks), f"{thread} finds it, and looked when it was there")
            else:
                recording.expect(looks and (not theirs or looks[0] < theirs[-1]), f"{thread} does not find it, and looked before it was there: {says}")
    recording.expect(found > 0, "some thread finds what the other one has computed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--java", required=True)
    parser.add_argument("--deadheat", required=True)
    parser.add_argument("--classes", required=True)
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="record_test.")

    for seed in (1, 2, 3):
        recording = Recording(arguments, folder, seed)
        recording.expect(recording.status == 0, "the program's own status")
        recording.expect(recording.out == "3 10 1 1\n", "the program's own output")
        told = re.search(r"(\d+) events of (\d+) threads, (\d+) variables", recording.err)
        content = json.loads(recording.trace("info", "--json")[1])
        recording.expect(told and [int(n) for n in told.groups()] == [content[what] for what in ("events", "threads", "variables")],
                         f"it says what was recorded: {content}")
        status, out = recording.trace("check")
        recording.expect(status == 0, f"the trace keeps the rules: {out}")
        plain = [re.sub(r"@\d+(?=[.\[,)])", "@", line) for line in recording.lines()]
        for wanted in WANTED:
            recording.expect(any(re.match(wanted, line) for line in plain), f"there is an event {wanted}")
        # Only the outermost of the two nested monitors is told.
        nested = [line for line in plain if "Recorded.nested" in line and "|acq(" in line]
        recording.expect(len(nested) == 1, f"re-entrancy is folded: {nested}")
        for analysis in ("hb", "syncp"):
            found = recording.racy_variables(analysis)
            recording.expect({"Recorded.racy"} <= found <= {"Recorded.racy", "Recorded.hidden"}, f"{analysis}: these races and no others: {found}")

    again = Recording(arguments, folder, 3)
    first = recording.lines()
    again.expect(first == again.lines(), "one seed, one trace")
    handles(arguments, folder)
    numbers(arguments, folder)
    class_values(arguments, folder)
    methods(arguments, folder)
    randoms(arguments, folder)
    shutil.rmtree(folder)


main()
