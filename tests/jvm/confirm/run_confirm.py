#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs deadheat confirm and replay on the programs of this folder and checks the verdicts.

Each check is a function that gets a Confirm and returns what is wrong, or "". Seeds decide everything: nothing is repeated, nothing
waits for time to pass.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
PACKAGE = "confirm"
SHORT = "10"  # statements of Figure2
# For checks of hundreds of executions that last a fraction of a second each: a quarter of the processor time less. All others have the JVM as it comes.
QUICK_JVM = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]


class Confirm:
    def __init__(self, args, name):
        self.args = args
        self.folder = args.work / name
        (self.folder / ".deadheat").mkdir(parents=True)  # its own state, whatever lies in the folders above
        self.jvm = [] if args.full else list(QUICK_JVM)  # options: with all tries the JVM is as it comes
        self.log = []
        self.told = ""  # numbers, for people

    def deadheat(self, *words, program=None, folder=None):
        """Status, stdout and stderr of one deadheat."""
        command = [self.args.deadheat, *map(str, words)]
        if program:
            command += ["--", self.args.java, *self.jvm, "-cp", self.args.classes, *(f"{PACKAGE}.{program[0]}", *program[1:])]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder or self.folder)
        self.log.append(f"$ {' '.join(command)}\n{done.stdout}{done.stderr}status {done.returncode}\n")
        return done.returncode, done.stdout, done.stderr

    def candidates(self, *program):
        """Phase 1, with a program that shows the hybrid detector its pairs in whatever order its threads run."""
        self.deadheat("run", "--detector", "hybrid", program=program)

    def confirm(self, program, *options):
        """The races by field."""
        self.status, _, self.errors = self.deadheat("confirm", "--json", "verdicts.json", *options, program=program)
        races = json.loads((self.folder / "verdicts.json").read_text() or "{}").get("races", [])
        return {race["variable"].get("field"): race for race in races}


def figure1(check):
    check.jvm = QUICK_JVM
    check.candidates("Figure1", "in-order")
    tries = 200 if check.args.full else 40
    races = check.confirm(["Figure1"], "--tries", tries, "--fail-on", "^ERROR")
    if set(races) != {"x", "z"}:
        return f"the candidates are {sorted(races)}"
    z, x = races["z"]["verdict"], races["x"]["verdict"]
    if z["verdict"] != "harmful" or "the output has 'ERROR1'" not in [harm["what"] for harm in z["harms"]]:
        return "the race on z is not harmful with ERROR1"
    if z["met"] != tries or not 0.25 * tries < z["harmful_tries"] < 0.75 * tries:
        return f"z: met {z['met']}, harmful {z['harmful_tries']} of {tries}"
    if sorted(access["write"] for access in z["meeting"]["accesses"]) != [False, True]:
        return "the meeting is not of a read and a write"
    if x["verdict"] != "not confirmed" or x["tries"] != tries or not x["obstacles"]:
        return "the pair on x was confirmed, or nothing is said about why not"
    check.told = f"z met {z['met']}, ERROR1 {z['harmful_tries']}, x met {x['met']} of {tries}"
    return "" if check.status == 66 else f"exit status {check.status}"


def figure2(check):
    check.jvm = QUICK_JVM
    check.candidates("Figure2", SHORT, "together")
    for statements in (10, 1000, 100000):
        tries, least, most = (100, 35, 65) if check.args.full else (20, 1, 19)
        races = check.confirm(["Figure2", str(statements)], "--tries", tries)
        verdict = races["x"]["verdict"]
        if verdict["met"] != tries:
            return f"{statements} statements: the race was created in {verdict['met']} of {tries} seeds"
        if not least <= verdict["harmful_tries"] <= most:
            return f"{statements} statements: ERROR in {verdict['harmful_tries']} of {tries} seeds"
        check.told += f"{statements} statements: created {verdict['met']}, ERROR {verdict['harmful_tries']} of {tries}; "
        if verdict["orders"] != "different" or verdict["harms"][0]["uncaught"]["message"] != "ERROR":
            return "the two orders do not differ in the exception"
    return ""


def replay(check):
    check.candidates("Figure2", SHORT, "together")
    check.confirm(["Figure2", SHORT])
    clips = list(check.folder.glob(".deadheat/clips/*.clip"))
    if len(clips) != 1:
        return f"{len(clips)} clips"
    for _ in range(3):
        _, _, errors = check.deadheat("replay", clips[0])
        if "replayed step for step" not in errors or "same outcome: uncaught java.lang.IllegalStateException" not in errors:
            return "not replayed step for step with the same exception"
    _, _, errors = check.deadheat("replay", "--slow", clips[0])
    if errors.count("<== the race") != 2:
        return "--slow does not show the two accesses"
    status, _, errors = check.deadheat("replay", clips[0], program=["Figure1"])
    if status != 3 or "the command is another one" not in errors or "the replay diverged after" not in errors:
        return "another program was replayed"
    if "this command is not the clip's" not in errors.splitlines()[-1]:
        return "the last word is not about the other command"
    if not re.search(r"expected \S+ in confirm\.(Figure2|Together)\.\S+ \(\w+\.java:\d+\)", errors):
        return "the place where the replay diverged has no name"
    return ""


def changed_program(check):
    program = ["Figure2", SHORT]
    check.candidates(*program, "together")
    check.confirm(program)
    clip, = check.folder.glob(".deadheat/clips/*.clip")
    empty = check.folder / "empty"
    empty.mkdir()
    check.args.classes, saved = f"{check.args.classes}:{empty}", check.args.classes
    try:
        (empty / "notes.txt").write_text("no class")
        _, _, unchanged = check.deadheat("replay", clip, program=program)
        (empty / "Other.class").write_bytes(b"changed")
        _, _, errors = check.deadheat("replay", clip, program=program)
    finally:
        check.args.classes = saved
    if "the classes are not those of the clip" in unchanged:
        return "a file that is no class counts as one"
    if "the classes are not those of the clip" not in errors:
        return "a changed class path goes unnoticed"
    return ""


def lost_sites(check):
    """The race is known, the program is another one."""
    check.candidates("Figure2", SHORT, "together")
    races = check.confirm(["Figure1"], "--tries", 1)
    if "no such site was rewritten: confirm/Figure2" not in check.errors or races["x"]["verdict"]["verdict"] != "not confirmed":
        return "sites that do not exist are not told"
    return ""


def endless(check):
    # The time limit counts from the start of the program, after that of the JVM: its first milliseconds have the race.
    check.candidates("Endless", "ends")
    races = check.confirm(["Endless"], "--time-limit", 4, "--tries", 1)
    if "the program did not end within 4 seconds" not in check.errors:
        return "nothing is said about the time limit"
    if races["x"]["verdict"]["verdict"] != "real":
        return "the race before the endless loop is not real"
    clip, = check.folder.glob(".deadheat/clips/*.clip")
    status, _, errors = check.deadheat("replay", "--time-limit", 4, clip)
    if status != 0 or "replayed up to the meeting; the program did not end within 4 seconds, as then" not in errors:
        return "the clip of a program without an end is not replayed"
    return ""


def failing(check):
    """A program that does not start is no program without races."""
    status, _, errors = check.deadheat("confirm", program=["NoSuchClass"])
    if status != 3 or "exited with status 1 in the run that looks for races" not in errors or "ClassNotFoundException" not in errors:
        return "nothing is said about the failure"
    return ""


def no_program(check):
    """The same when races are known: those of another program. And one that fails by itself is told, and tried."""
    check.candidates("Figure2", SHORT, "together")
    status, _, errors = check.deadheat("confirm", "--all", program=["NoSuchClass"])
    if status != 3 or "before it had started a program" not in errors or "ClassNotFoundException" not in errors:
        return "nothing is said about the failure"
    status, _, errors = check.deadheat("confirm", "--all", "--tries", 1, program=["Figure2", "ten"])
    if "the program fails without a meeting already: in the control it exited with status 1" not in errors:
        return "nothing is said about the failure of the control"
    return "" if "NumberFormatException" in errors else "what the program said is not shown"


def time_out(check):
    """A time-out of the program does not run out because deadheat holds those whom it waits for."""
    check.candidates("TimeOut", "together")
    races = check.confirm(["TimeOut"], "--tries", 10)
    verdict = races["hits"]["verdict"]
    if verdict["verdict"] != "real" or verdict["met"] < 9:
        return f"{verdict['verdict']}, met in {verdict['met']} of 10: {[harm['what'] for harm in verdict['harms']]}"
    return f"uncaught: {verdict['other_exceptions']}" if "other_exceptions" in verdict else ""


def spinning(check):
    """No order of a survey starves the thread that another waits for."""
    check.candidates("Spinning")
    races = check.confirm(["Spinning"], "--time-limit", 20, "--tries", 2)
    verdict = races["data"]["verdict"]
    if verdict["verdict"] != "not confirmed":
        return "the two met"
    return "executions ran into the time limit" if "timed_out" in verdict else ""


def elsewhere(check):
    """A clip with a relative class path, in another folder."""
    check.args.classes, saved = os.path.relpath(check.args.classes, check.folder), check.args.classes
    try:
        check.candidates("Figure2", SHORT, "together")
        check.confirm(["Figure2", SHORT])
    finally:
        check.args.classes = saved
    clip, = check.folder.glob(".deadheat/clips/*.clip")
    other = check.folder / "one" / "two"
    other.mkdir(parents=True)
    status, _, errors = check.deadheat("replay", clip, folder=other)
    if status != 3 or f"replay it where it was made: cd {check.folder.resolve()}" not in errors or "has changed since" in errors:
        return "the program is blamed for the folder"
    return ""


def loops(check):
    """Two threads that meet at every turn of a loop do not fill the disk."""
    check.candidates("Loops", "1", "together")
    races = check.confirm(["Loops", "5000"], "--tries", 1)
    if not races or any(race["verdict"]["verdict"] == "not confirmed" for race in races.values()):
        return "not every race was confirmed"
    for path in check.folder.glob(".deadheat/runs/*/tries/*/1/jvm-*/records.jsonl"):
        records = [json.loads(line) for line in path.read_text().splitlines()]
        told = sum(record["type"] == "meeting" for record in records)
        outcome, = (record for record in records if record["type"] == "schedule")
        if told != 10 or outcome["races"] < 1000:
            return f"{told} meetings are told, {outcome['races']} counted"
        check.told += f"{told} of {outcome['races']} meetings told; "
    return "" if check.told else "there are no records"


def lock_order(check):
    """The deadlock comes only if the thread that went second goes on beside the first, and the control has none."""
    check.candidates("LockOrder", "together")
    races = check.confirm(["LockOrder"], "--tries", 20)
    verdict = races["reversed"]["verdict"]
    if verdict["verdict"] != "harmful" or "deadlock" not in {harm["kind"] for harm in verdict["harms"]}:
        return "the deadlock was not seen"
    check.told = f"met {verdict['met']}, deadlock in {verdict['harmful_tries']} of 20"
    return ""


def between(check):
    """What came between the two in a survey comes between them again when a try aims at them: all but the first try meet."""
    check.candidates("Between", "in-order")
    races = check.confirm(["Between"], "--tries", 20)
    if set(races) != {"place"}:
        return f"the candidates are {sorted(races)}"
    verdict = races["place"]["verdict"]
    if verdict["met"] < 19:
        return f"met in {verdict['met']} of 20 tries"
    check.told = f"met {verdict['met']} of 20"
    replayed, _, errors = check.deadheat("replay", verdict["clip"])
    return "" if "step for step" in errors else f"the replay ended with {replayed}"


def overtaken(check):
    """Two that meet only if a thread is stopped where neither of them is: no try brings them together, a search does."""
    check.jvm = QUICK_JVM
    check.candidates("Overtaken", "in-order")
    few = check.confirm(["Overtaken"], "--tries", 3)
    if not {"early", "late"} <= set(few):
        return f"the candidates are {sorted(map(str, few))}"
    if few["late"]["verdict"]["verdict"] != "not confirmed" or "search" in few["late"]["verdict"]:
        return "a search was made although few tries were wanted"
    races = check.confirm(["Overtaken"])
    late, early = races["late"]["verdict"], races["early"]["verdict"]
    if late["verdict"] == "not confirmed" or late["tries"] != 21 or late["met"] != 1:
        return f"late: {late['verdict']}, met in {late['met']} of {late['tries']} tries"
    if early["verdict"] != "not confirmed" or early["tries"] != 20 or early["search"]["executions"] == 0:
        return f"early: {early['verdict']} in {early['tries']} tries"
    if not any("recorded" in obstacle for obstacle in early["obstacles"]):
        return f"the verdict does not tell of the search: {early['obstacles']}"
    if list(check.folder.glob(".deadheat/runs/*/tries/**/trace")):
        return "recordings are left behind"
    check.told = f"late: {late['search']}, early: {early['search']}"
    _, _, errors = check.deadheat("replay", late["clip"])
    if "replayed step for step" not in errors:
        return "the clip is not replayed"
    many = check.confirm(["Overtaken"], "--tries", 40, races["late"]["id"])["late"]["verdict"]
    return "" if many["tries"] == 40 and many["met"] == 36 else f"met in {many['met']} of {many['tries']} tries"


def locks(check):
    """Monitors and locks of java.util.concurrent are named where the threads meet."""
    check.candidates("Locks", "together")
    races = check.confirm(["Locks"])
    held = {access["thread"]["name"]: access["locks"] for access in races["x"]["verdict"]["meeting"]["accesses"]}
    package = "java.util.concurrent.locks"
    for locks in held.values():
        locks[:] = [re.sub(r"@\d+", "", lock) for lock in locks]
    expected = {"reader": [f"{package}.ReentrantLock", f"{package}.StampedLock (read)", f"{package}.ReentrantReadWriteLock (read)"],
                "writer": ["java.lang.Object", f"{package}.ReentrantReadWriteLock (write)", f"{package}.StampedLock (write)"]}
    return "" if held == expected else f"the locks held are {held}"


def jdk_locks(check):
    """The locks of java.util.concurrent are locks, with modes, and no order: what they do not guard is suspected, and meets."""
    check.candidates("JdkLocks", "in-order")
    races = check.confirm(["JdkLocks"])
    if set(races) != {"orderHidden_race", "underReadLock_race", "twoLocks_race"}:
        return f"the candidates are {sorted(races)}"
    missed = [field for field, race in races.items() if race["verdict"]["verdict"] == "not confirmed"]
    return f"not confirmed: {missed}" if missed else ""


def checked_use(check):
    """The use behind a check for null is a candidate of its own, and harmful; the check itself is not."""
    check.candidates("CheckedUse", "together")
    check.confirm(["CheckedUse"])
    verdicts = {}
    for race in json.loads((check.folder / "verdicts.json").read_text())["races"]:
        read, = (access["stack"][0] for access in race["verdict"]["meeting"]["accesses"] if not access["write"])
        verdicts[read["line"]] = race["verdict"]
    used, tested = line_of("CheckedUse", "report.append"), line_of("CheckedUse", "report != null")
    if set(verdicts) != {used, tested}:
        return f"reads at the lines {sorted(verdicts)}"
    if {harm["uncaught"]["exception"] for harm in verdicts[used]["harms"]} != {"java.lang.NullPointerException"}:
        return "the use does not fail with a NullPointerException"
    return "" if verdicts[tested]["verdict"] == "real" else "the check alone is harmful"


def checked_line(check):
    """A check and a use in one line are one race: whichever of the two is on record, the harm of the use is seen."""
    check.candidates("CheckedLine", "together")
    check.confirm(["CheckedLine"])
    races = json.loads((check.folder / "verdicts.json").read_text())["races"]
    if len(races) != 1:
        return f"{len(races)} races"
    verdict = races[0]["verdict"]
    if {harm["uncaught"]["exception"] for harm in verdict["harms"]} != {"java.lang.NullPointerException"}:
        return "the use does not fail with a NullPointerException"
    check.told = "; ".join(f"{' and '.join(pair['sites'])}: {pair['verdict']}" for pair in verdict.get("pairs", []))
    _, _, errors = check.deadheat("replay", verdict["clip"])
    return "" if "same outcome" in errors else f"the clip of the use does not play: {errors}"


def lost_update(check):
    """What is printed shows an update that is lost, by one order or by both."""
    check.candidates("LostUpdate", "together")
    races = check.confirm(["LostUpdate"])
    if set(races) != {"count"}:
        return f"the candidates are {sorted(races)}"
    verdict = races["count"]["verdict"]
    shown = [*verdict["differences"], verdict.get("unlike_control", "")]
    lost = {"'count 1' / 'count 2' in the output", "'count 2' / 'count 1' in the output"}
    if verdict["verdict"] != "real" or not lost.intersection(shown):
        return f"{verdict['verdict']}, and of the output it says {shown}"
    return "" if any(line in check.errors for line in lost) else "the text does not say what was printed"


def ways(check):
    """Accesses by way of a call are held like those of instructions."""
    check.candidates("Ways")
    check.confirm(["Ways"])
    races = json.loads((check.folder / "verdicts.json").read_text())["races"]
    missed = [race["variable"] for race in races if race["verdict"]["verdict"] == "not confirmed"]
    if len(races) != 6 or missed:
        return f"{len(races)} races, not confirmed: {missed}"
    return ""


def modes(check):
    """An atomic access races with a plain one of the same variable, and with no other."""
    check.deadheat("run", program=["Modes", "together"])
    races = check.confirm(["Modes"], "--all")
    verdicts = {field: race["verdict"]["verdict"] for field, race in races.items()}
    expected = {field: "real" for field in ("published", "added", "seen", None)}
    return "" if verdicts == expected else f"{verdicts}"


def last_hook(check):
    """Shutdown hooks are under control however the program ends, and the clip plays."""
    for ending in ([], ["exit"]):
        check.candidates("LastHook", *ending)
        races = check.confirm(["LastHook", *ending])
        if races["raced"]["verdict"]["verdict"] == "not confirmed":
            return f"not confirmed with {ending}: {races['raced']['verdict']['obstacles']}"
        _, _, errors = check.deadheat("replay", races["raced"]["verdict"]["clip"])
        if "step for step" not in errors:
            return f"not replayed with {ending}"
    return ""


def unheld(check):
    """Why nobody was held at an access that a thread came to is told."""
    check.candidates("Unheld")
    races = check.confirm(["Unheld"])
    expected = {"initialised": "is run by a class initialiser", "cleaned": 'a thread outside control came to confirm/Unheld'}
    for field, words in expected.items():
        obstacles = races[field]["verdict"]["obstacles"]
        if not any(words in obstacle for obstacle in obstacles) or any("no thread came" in obstacle for obstacle in obstacles):
            return f"{field}: {obstacles}"
        if races[field]["verdict"]["tries"] != 3:
            return f"{field}: tried {races[field]['verdict']['tries']} times, though nobody can ever be held there"
    return ""


def line_of(program, text):
    """The line of the source file that has this text."""
    lines = (HERE / f"{program}.java").read_text().splitlines()
    number, = (i for i, line in enumerate(lines, 1) if text in line)
    return number


def hold_at_race(check, clip):
    """Replays up to the race and looks with a debugger: what is wrong or "", what jdb saw, and what deadheat said afterwards."""
    command = [check.args.deadheat, "replay", "--until", "race", clip]
    replay = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=check.folder)
    try:
        told = ""
        while "press Enter to let them go on" not in told:
            line = replay.stderr.readline()
            if not line:
                return "the race is not held: " + told, "", ""
            told += line
        port = re.search(r"jdb -attach (127\.0\.0\.1:\d+)", told)
        jdb = pathlib.Path(check.args.java).with_name("jdb")
        seen = subprocess.run([jdb, "-attach", port[1]], input="suspend\nwhere all\nresume\nquit\n",
                              capture_output=True, text=True)
        out, errors = replay.communicate("\n")
    finally:
        replay.kill()
    check.log += [told, seen.stdout, seen.stderr, out, errors]
    return "" if "the program has ended" in errors else "the program did not go on", seen.stdout, errors


def until_race(check):
    """Both threads stand at their lines, in the eyes of a debugger, and go on when they are let go."""
    check.candidates("Figure2", SHORT, "together")
    check.confirm(["Figure2", SHORT])
    clip, = check.folder.glob(".deadheat/clips/*.clip")
    wrong, seen, _ = hold_at_race(check, clip)
    if wrong:
        return wrong
    for thread, text in (("first", "if (x == 0)"), ("second", "x = 1;")):
        stack = re.search(rf"^(?:> |\S+\[\d+\] )*\s*{thread}:\s*\n((?:\s+\[\d+\].*\n)+)", seen, re.MULTILINE)
        if not stack or f"(Figure2.java:{line_of('Figure2', text)})" not in stack[1]:
            return f"the debugger does not see thread {thread} at '{text}'"
    return ""


def debugged_tasks(check):
    """The threads of a debugger, ours or the command's own, change nothing: neither the steps nor the ids of the program's threads."""
    check.candidates("Tasks", "together")
    check.confirm(["Tasks"])
    clip, = check.folder.glob(".deadheat/clips/*.clip")
    wrong, _, errors = hold_at_race(check, clip)
    if wrong:
        return wrong
    records = max(check.folder.glob(".deadheat/runs/*/jvm-*/records.jsonl"), key=lambda path: int(path.parts[-3]))
    outcome, = (record for line in records.read_text().splitlines() if (record := json.loads(line))["type"] == "schedule")
    if "diverged" in outcome:
        return f"after the race the replay diverged: {outcome['diverged']}"
    if "java.lang.IllegalStateException" not in errors:
        return "the update is not lost with a debugger"
    port = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"
    status, _, errors = check.deadheat("replay", clip, "--", check.args.java, port, "-cp", check.args.classes, f"{PACKAGE}.Tasks")
    if status != 1 or "replayed step for step" not in errors or "same outcome: uncaught java.lang.IllegalStateException" not in errors:
        return "not replayed with a debugger of the command's own"
    return ""


def shrink(check):
    """Few switches are left of many, with the same exception, and the small clip plays."""
    check.candidates("Noisy", "together")
    check.confirm(["Noisy"])
    clips = {clip.name: clip for clip in check.folder.glob(".deadheat/clips/*.clip")}
    for clip in clips.values():
        _, _, errors = check.deadheat("replay", clip)
        if "same outcome: uncaught java.lang.IllegalStateException" in errors:
            break
    else:
        return f"none of {len(clips)} clips loses an update"
    status, _, errors = check.deadheat("replay", "--shrink", "--tries", 100, clip)
    told = re.search(r"from (\d+) context switches to (\d+), same outcome", errors)
    if status != 0 or not told or not 0 < int(told[2]) < int(told[1]):
        return "not shrunk"
    # Five threads that begin, one of them between the read and the write of another, and joins.
    if int(told[2]) > 12:
        return f"{told[2]} switches are left"
    _, _, errors = check.deadheat("replay", clip.with_suffix(".small.clip"))
    if "replayed step for step" not in errors or "same outcome: uncaught java.lang.IllegalStateException" not in errors:
        return "the small clip is not replayed"
    return ""


CHECKS = [figure1, figure2, replay, changed_program, lost_sites, loops, lock_order, between, overtaken, locks, jdk_locks, ways, modes, last_hook, unheld, checked_use, checked_line, lost_update, endless, failing, no_program, time_out, spinning, elsewhere, until_race, debugged_tasks,
          shrink]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--java", required=True)
    parser.add_argument("--deadheat", required=True)
    parser.add_argument("--classes", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="emptied first")
    parser.add_argument("--full", action="store_true", help="as many tries as the figures' promise speaks of: 200 and 3 times 100")
    parser.add_argument("checks", nargs="*", help="all without any")
    args = parser.parse_args()
    shutil.rmtree(args.work, ignore_errors=True)
    failures = 0
    for function in CHECKS:
        if args.checks and function.__name__ not in args.checks:
            continue
        check = Confirm(args, function.__name__)
        wrong = function(check)
        text = wrong or check.told
        print(f"{'FAIL' if wrong else 'ok  '} {function.__name__}{': ' if text else ''}{text}", flush=True)
        if wrong:
            failures += 1
            print("".join(check.log), f"  folder: {check.folder}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
