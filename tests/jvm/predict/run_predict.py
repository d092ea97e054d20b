#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Predicts and re-executes small programs. usage: run_predict.py --java JAVA --deadheat PROGRAM --classes DIR [NAME…]"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile


class Prediction:
    """One program, recorded and re-executed."""

    def __init__(self, arguments, folder, program, *options, words=()):
        self.arguments, self.folder, self.program = arguments, folder, " ".join((program, *words))
        os.makedirs(folder, exist_ok=True)
        self.json = os.path.join(folder, "found.json")
        self.state = os.path.join(folder, "state")
        self.command = [arguments.deadheat, "predict", "--json", self.json, "--state", self.state, "--time-limit", "120", *options, "--",
                        arguments.java, "-Xverify:all", "-cp", arguments.classes, program, *words]
        done = subprocess.run(self.command, capture_output=True, text=True, timeout=280)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.expect(os.path.exists(self.json), "there is a JSON report")
        with open(self.json) as file:
            self.found = json.load(file)["predictions"]
        for one in self.found:
            if one["reexecution"]["result"] == "created":
                self.check_places(one)

    def check_places(self, one):
        """What was created is told with the stack of each access."""
        for access in one["accesses"]:
            top = access.get("stack", [{}])[0]
            same = all(access.get(part) == top.get(part) for part in ("class", "method", "line"))
            self.expect(same and access["thread_name"] and "locks" in access, f"the stack of event {access['event']} of {one['id']} is there")

    def expect(self, condition, what):
        if not condition:
            found = "\n".join(json.dumps(one) for one in getattr(self, "found", []))
            sys.exit(f"FAILED: {self.program}: {what}\n  again: {' '.join(self.command)}\n  status {self.status}\n{self.out}{self.err}\n{found}")

    def of_kind(self, kind):
        return [one for one in self.found if one["kind"] == kind]

    def lines(self, one):
        return tuple(access["line"] for access in one["accesses"])

    def replay(self, one):
        """The clip, played again: faithful, and to the same end."""
        done = subprocess.run([self.arguments.deadheat, "replay", "--state", self.state, one["reexecution"]["clip"]],
                              capture_output=True, text=True, timeout=200)
        self.expect("replayed step for step" in done.stderr and "same outcome" in done.stderr, f"the clip is replayed: {done.stderr}")
        return done.returncode


def line_of(arguments, program, mark):
    """The number of the source line with this mark."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), program + ".java")) as file:
        for number, line in enumerate(file, 1):
            if mark in line:
                return number
    sys.exit(f"{program} has no line {mark}")


def figure1_race(arguments, folder):
    # The first seed whose recorded run does not come to the error by itself: that one is ordinary.
    for seed in range(1, 20):
        run = Prediction(arguments, os.path.join(folder, str(seed)), "PecanFigure1", "--seed", str(seed))
        if "Exception" not in run.err.split("deadheat: recorded")[0]:
            break
    else:
        run.expect(False, "there is an ordinary run")
    at = {n: line_of(arguments, "PecanFigure1", f"// {n}") for n in range(1, 8)}
    races = {tuple(sorted(run.lines(one))): one for one in run.of_kind("data race")}
    for pair in ((2, 5), (2, 6), (3, 7)):
        key = tuple(sorted((at[pair[0]], at[pair[1]])))
        run.expect(key in races, f"the race of lines {pair} is predicted: {sorted(races)}")
        run.expect(races[key]["reexecution"]["result"] == "created", f"the race of lines {pair} is created at the first re-execution")
    run.expect(len(races) == 3, f"there are no others: {sorted(races)}")
    run.expect(run.status == 66, "the status says that something is real")
    error = races[tuple(sorted((at[3], at[7])))]
    run.expect(error["label"] == "cannot be false", "the race of lines 3 and 7 cannot be false")
    run.expect(error["reexecution"].get("exceptions") == ["java.lang.IllegalStateException"], "its re-execution comes to the error")
    status = run.replay(races[tuple(sorted((at[3], at[7])))])
    run.expect(status in (0, 1), f"the program's own status: {status}")


def lost_update_norace(arguments, folder):
    run = Prediction(arguments, folder, "LostUpdate", "--atomic", "LostUpdate.increment")
    run.expect(run.of_kind("data race") == [], "no data race: every access has its lock")
    created = [one for one in run.of_kind("atomicity violation") if one["reexecution"]["result"] == "created"]
    run.expect(created, "the violation of the two sections is created")
    run.expect(any("java.lang.IllegalStateException" in one["reexecution"].get("exceptions", []) for one in created), "and its harm is seen")
    run.expect(run.replay(created[0]) == 1, "the replay has the program's own status")


def volatiles_norace(arguments, folder):
    run = Prediction(arguments, folder, "Volatiles", "--atomic-methods", "public")
    run.expect(run.of_kind("data race") == [], "no data race: everything is volatile or atomic")
    run.expect(all(one["reexecution"]["result"] == "created" for one in run.found), "everything is created")
    seen = {exception for one in run.found for exception in one["reexecution"].get("exceptions", [])}
    run.expect(seen == {"java.lang.IllegalStateException", "java.lang.IllegalArgumentException"}, f"both lost updates are seen: {seen}")
    skew = {line_of(arguments, "Volatiles", "// lower"), line_of(arguments, "Volatiles", "// upper")}
    run.expect(any(set(run.lines(one)) == skew for one in run.of_kind("not serialisable")), "both ends of the range may be checked before either is set")
    within = {access.get("within") for one in run.found for access in one["accesses"]}
    run.expect("Volatiles.add" in within, f"the program's method is named: {within}")
    run.expect(within & {"Volatiles.hit", "Volatiles.mark"} == set(), f"what is one step, or begins again, is no violation: {within}")
    without = Prediction(arguments, os.path.join(folder, "without"), "Volatiles")
    without.expect(without.found == [] and without.status == 0, "without regions there is nothing to violate")


def spin_lock_norace(arguments, folder):
    run = Prediction(arguments, folder, "SpinLock")
    sure = [one for one in run.found if one["label"] != "candidate" or one["reexecution"]["result"] == "created"]
    run.expect(sure == [] and run.status == 0, "a plain write may be what a compare-and-set finds: nothing is certain that no schedule shows")


def without_regions_norace(arguments, folder):
    run = Prediction(arguments, folder, "LostUpdate")
    run.expect(run.found == [], "each synchronized method alone is atomic")
    run.expect(run.status == 0, "nothing is real")


def guarded_norace(arguments, folder):
    run = Prediction(arguments, folder, "Guarded")
    run.expect(run.found == [] and run.status == 0, "nothing is predicted")


def flagged_race(arguments, folder):
    run = Prediction(arguments, folder, "Flagged", "--seed", "1")
    for one in run.found:
        run.expect(one["reexecution"]["result"] != "failed", "each schedule ends one way or the other")
    run.expect(all(one["label"] == "candidate" or one["reexecution"]["result"] == "created" for one in run.found),
               "what cannot be false is created")


def lock_sections_race(arguments, folder):
    """The other order of two sections of a lock of java.util.concurrent: hidden in one recorded run at least, and created in all."""
    at = tuple(line_of(arguments, "LockSections", f"// {n}") for n in (1, 2))
    hidden = 0
    for kind, seed in (("lock", 1), ("lock", 2), ("lock", 3), ("fair", 2), ("write", 2), ("stamped", 2)):
        run = Prediction(arguments, os.path.join(folder, kind + str(seed)), "LockSections", "--seed", str(seed), words=(kind, "free"))
        run.expect([tuple(sorted(run.lines(one))) for one in run.found] == [at], "the race is predicted, and nothing else")
        run.expect(run.found[0]["label"] == "cannot be false", "it cannot be false")
        run.expect(run.found[0]["reexecution"]["result"] == "created", "it is created at the first re-execution")
        hidden += "hb" not in run.found[0]["seen_by"]
    run.expect(hidden > 0, "some recorded run has an order in which the accesses are ordered")


def lock_sections_norace(arguments, folder):
    for kind in ("lock", "write", "stamped"):
        run = Prediction(arguments, os.path.join(folder, kind), "LockSections", "--seed", "2", words=(kind, "flag"))
        run.expect(all(one["label"] == "candidate" and one["reexecution"]["result"] == "diverged" for one in run.found),
                   "a section that looks at what the other has left comes behind it")


def locked_updates_norace(arguments, folder):
    for kind in ("lock", "read-write", "stamped"):
        run = Prediction(arguments, os.path.join(folder, kind), "LockedUpdates", "--atomic", "LockedUpdates.increment*", words=(kind, "twice"))
        run.expect([one["kind"] for one in run.found] == ["atomicity violation"], "the violation of the two sections, and no race")
        run.expect(run.found[0]["reexecution"]["result"] == "created", "it is created at the first re-execution")
        run.expect(run.found[0]["reexecution"].get("exceptions") == ["java.lang.IllegalStateException"], "and its harm is seen")
    run = Prediction(arguments, os.path.join(folder, "once"), "LockedUpdates", "--atomic", "LockedUpdates.increment*", words=("lock", "once"))
    run.expect(run.found == [] and run.status == 0, "within one section nothing is predicted")


def locked_queue_norace(arguments, folder):
    for seed in ("1", "2"):
        run = Prediction(arguments, os.path.join(folder, seed), "LockedQueue", "--seed", seed)
        run.expect(run.found == [] and run.status == 0, "nothing is predicted")


def random_locks_race(arguments, folder):
    """What cannot be false is created at the first re-execution, whatever is done with the locks."""
    for program, seeds in (("RandomLocks", ("3", "9")), ("RandomStamps", ("3", "7"))):
        for seed in seeds:
            run = Prediction(arguments, os.path.join(folder, program + seed), program, "--seed", seed, words=(seed,))
            sure = [one for one in run.found if one["label"] == "cannot be false" and one["reexecution"]["result"] != "not tried"]
            run.expect(sure, "something cannot be false")
            run.expect(all(one["reexecution"]["result"] == "created" for one in sure), "it is created")


def stamped_sections_race(arguments, folder):
    """Sections by stamps, taken and given back in every way, in another order: with one that reads optimistically beside them, too."""
    at = tuple(line_of(arguments, "StampedSections", f"// {n}") for n in (1, 2))
    for kind in ("write", "try", "read", "downgrade", "optimistic"):
        run = Prediction(arguments, os.path.join(folder, kind), "StampedSections", "--seed", "2", words=(kind,))
        found = [one for one in run.found if tuple(sorted(run.lines(one))) == at]
        run.expect(len(found) == 1 and len(run.found) == 1, "the race is predicted, and nothing else")
        run.expect(found[0]["label"] == "cannot be false", "it cannot be false")
        run.expect(found[0]["reexecution"]["result"] == "created", "it is created at the first re-execution")


def instances_race(arguments, folder):
    """A place of the run that does not show the race is followed by one that does."""
    at = tuple(line_of(arguments, "Instances", f"// {n}") for n in (1, 2))
    for seed in range(1, 13):
        run = Prediction(arguments, os.path.join(folder, str(seed)), "Instances", "--seed", str(seed))
        for one in run.found:
            run.expect(tuple(sorted(run.lines(one))) == at, "no other race is predicted")
            run.expect(one["count"] < 2 or one["reexecution"]["result"] == "created", "it is created at one of its places")
        # The careful reader came first.
        if any(one["reexecution"].get("tries", 1) > 1 and one["reexecution"]["result"] == "created" for one in run.found):
            return
    run.expect(False, "in some run the first place does not show it, and another one does")


def started_later_race(arguments, folder):
    """The end of a thread and the start of the next one meet in their thread group, which orders nothing that a schedule must keep."""
    at = tuple(line_of(arguments, "StartedLater", f"// {n}") for n in (1, 2))
    for seed in range(1, 5):
        run = Prediction(arguments, os.path.join(folder, str(seed)), "StartedLater", "--seed", str(seed))
        found = [one for one in run.of_kind("data race") if tuple(sorted(run.lines(one))) == at]
        run.expect(len(found) == 1 and found[0]["reexecution"]["result"] == "created", "the race is predicted and created")


def deadlocked(arguments, folder):
    """A deadlock of the recorded run is told, with where its threads stand."""
    run = Prediction(arguments, folder, "Deadlocked", "--only-predict")
    told = run.err.count("at Deadlocked.take (Deadlocked.java:")
    run.expect("ran into a deadlock of its own" in run.err and told == 2, "the deadlock is told")
    run.expect(not run.of_kind("data race"), "no race is predicted")


CASES = [started_later_race, deadlocked, instances_race, lock_sections_race, lock_sections_norace, locked_updates_norace, locked_queue_norace, stamped_sections_race, random_locks_race, figure1_race, lost_update_norace, volatiles_norace, spin_lock_norace, without_regions_norace, guarded_norace, flagged_race]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--java", required=True)
    parser.add_argument("--deadheat", required=True)
    parser.add_argument("--classes", required=True)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(case.__name__ for case in CASES)} (default: all)")
    arguments = parser.parse_args()
    for case in CASES:
        if arguments.names and case.__name__ not in arguments.names:
            continue
        folder = tempfile.mkdtemp(prefix="predict_test.")
        case(arguments, folder)
        shutil.rmtree(folder)


main()
