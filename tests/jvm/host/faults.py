# SPDX-License-Identifier: Apache-2.0
"""Checks of faults: killed, no disk, no folder, crash, no memory, wrong options. The host goes on as if we were not there."""

import json
import os
import pathlib
import re
import resource
import signal
import subprocess

from run_host import Skip, compare, first_difference, log_trouble, status_text

SERIAL = ["-XX:+UseSerialGC"]
NOBODY = 65534


def wait_for(process, path, text):
    """Until the file holds the text; False when the process ended before."""
    while text not in path.read_bytes():
        if process.poll() is not None:
            return text in path.read_bytes()
    return True


def same_program(plain, watched):
    return first_difference(plain.out.splitlines() + [status_text(plain.status)], watched.out.splitlines() + [status_text(watched.status)])


def our_lines(outcome):
    return [line for line in outcome.err.splitlines() if line.startswith("deadheat:")]


def one_message(plain, watched):
    """One line of ours on stderr, everything else as without the agent."""
    found = {"": same_program(plain, watched)}
    lines = our_lines(watched)
    found["message"] = "" if len(lines) == 1 else f"{len(lines)} messages instead of one: {lines[:3]}"
    rest = [line for line in watched.err.splitlines() if line not in lines]
    found["stderr"] = first_difference(plain.err.splitlines(), rest)
    return found


def killed(c):
    """kill -9 in the middle: what was found by then is on disk, each line whole, and the report can be made of it."""
    process = c.start("watched", c.java_command("watched", "host.Racy", vm=SERIAL, agent=True))
    try:
        if not wait_for(process, c.folder / "watched" / "stdout", b"raced"):
            return "the program ended by itself"
    finally:
        process.kill()
    outcome = c.finish("watched", process)
    records = outcome.records()
    types = [record["type"] for record in records]
    if "start" not in types or "end" in types:
        return f"records {types}"
    return "" if "race" in types else "the race it had seen is not on disk"


def signalled(number):
    """A signal from outside: hooks run, and the exit status is the JVM's own."""

    def check(c):
        outcomes = {}
        for label in ("plain", "watched"):
            process = c.start(label, c.java_command(label, "host.Exits", "wait_for_signal", vm=SERIAL, agent=label == "watched"))
            wait_for(process, c.folder / label / "stdout", b"ready")
            process.send_signal(number)
            outcomes[label] = c.finish(label, process)
        return compare(outcomes["plain"], outcomes["watched"])

    return check


def full_disk(c):
    """A folder on a file system of 64 KiB that is full."""
    mount = c.folder / "disk"
    mount.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(mount)], capture_output=True, text=True)
    if made.returncode != 0:
        raise Skip("no right to mount a small file system here: " + made.stderr.strip())
    try:
        filler = os.open(mount / "filler", os.O_WRONLY | os.O_CREAT)
        try:
            while True:
                os.write(filler, b"x" * 4096)
        except OSError:
            os.close(filler)  # full
        plain = c.java("plain", "host.Work", "2", vm=SERIAL)
        watched = c.java("watched", "host.Work", "2", vm=[f"-agentpath:{c.args.agent}=dir={mount / 'run'}", *SERIAL])
        return one_message(plain, watched)
    finally:
        subprocess.run(["umount", "-l", str(mount)])


def file_limit(c):
    """A limit on the size of files (ulimit -f): no SIGXFSZ may hit the host."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

    vm = [*SERIAL, "-XX:-UsePerfData"]
    plain = c.java("plain", "host.Work", "1", vm=vm, preexec=limit)
    watched = c.java("watched", "host.Work", "1", vm=vm, agent=True, preexec=limit)
    # The JVM ignores SIGXFSZ itself; its own output is short enough.
    return same_program(plain, watched)


def folder_below_file(c):
    """The folder cannot be made: a file is in the way."""
    (c.folder / "file").write_text("in the way")
    plain = c.java("plain", "host.Work", "2", vm=SERIAL)
    watched = c.java("watched", "host.Work", "2", vm=[f"-agentpath:{c.args.agent}=dir={c.folder / 'file' / 'run'}", *SERIAL])
    return one_message(plain, watched)


def unwritable_folder(c):
    """A user without the right to write there."""
    folder = c.folder / "closed"
    folder.mkdir(mode=0o555)

    def user():
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)

    as_user = {"preexec": user, "cwd": "/"} if os.getuid() == 0 else {}
    plain = c.java("plain", "host.Exits", "exit", vm=SERIAL, **as_user)
    if plain.status != 7:
        raise Skip("the test's own files cannot be read by another user")
    watched = c.java("watched", "host.Exits", "exit", vm=[f"-agentpath:{c.args.agent}=dir={folder / 'run'}", *SERIAL], **as_user)
    return one_message(plain, watched)


def crash(number):
    """The program's own native code crashes: the same signal, hs_err as ever, records so far on disk."""

    def check(c):
        vm = [*SERIAL, f"-Dhost.native={c.args.native}", "-XX:-CreateCoredumpOnCrash", *(["--enable-native-access=ALL-UNNAMED"] if c.jdk >= 22 else [])]
        plain = c.java("plain", "host.Native", str(int(number)), vm=vm)
        watched = c.java("watched", "host.Native", str(int(number)), vm=vm, agent=True)
        if plain.status != watched.status:
            return f"{status_text(watched.status)} instead of {status_text(plain.status)}"
        frame = lambda o: [line for line in o.out.splitlines() if line.startswith("# C ") or line.startswith("#  SIG")]
        short = lambda o: [line.split("+")[0].split(" (0x")[0] for line in frame(o)]
        return first_difference(short(plain), short(watched)) or log_trouble(watched, ends=False)

    return check


def out_of_memory_exit(option):
    """The VM is told to end at the first OutOfMemoryError. A program that fits must not be ended by ours; one that does not must."""

    def check(c):
        vm = [*SERIAL, "-Xmx64m", option, "-XX:-CreateCoredumpOnCrash"]
        found = {}
        for name, args in {"fits": ["fits"], "does_not": []}.items():
            plain = c.java(f"plain_{name}", "host.OutOfMemory", *args, vm=vm)
            watched = c.java(f"watched_{name}", "host.OutOfMemory", *args, vm=vm, agent=True)
            tidy = lambda o: [line for line in o.out.splitlines() if line.startswith("==")] + [status_text(o.status)]
            found[name] = first_difference(tidy(plain), tidy(watched))
        return found

    return check


def wrong_option(text):
    """One clear message, and the JVM does not start: its user asked for something we do not understand."""

    def check(c):
        outcome = c.java("watched", "host.Exits", "return", vm=[f"-agentpath:{c.args.agent}={text}", *SERIAL])
        lines = our_lines(outcome)
        if outcome.status != 1 or "begin" in outcome.out:
            return f"{status_text(outcome.status)}"
        if len(lines) != 1:
            return f"{len(lines)} messages: {outcome.err!r}"
        return "" if "option" in lines[0] else lines[0]

    return check


def two_at_once(c):
    """Two JVMs with one folder: each has its own records."""
    option = f"-agentpath:{c.args.agent}=dir={c.folder / 'both' / 'run'}"
    processes = {n: c.start(n, c.java_command(n, "host.Work", "5", vm=[option, *SERIAL])) for n in ("one", "two")}
    outcomes = [c.finish(n, p) for n, p in processes.items()]
    logs = sorted((c.folder / "both" / "run").glob("jvm-*/records.jsonl"))
    if len(logs) != 2:
        return f"{len(logs)} logs"
    for log in logs:
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        if [line["type"] for line in lines].count("start") != 1 or lines[-1]["type"] != "end":
            return f"{log} has {[line['type'] for line in lines]}"
    return first_difference(outcomes[0].out.splitlines(), outcomes[1].out.splitlines())


def no_descriptors(c):
    """No file descriptor is left behind in processes that the program starts."""
    outcomes = [c.java(label, "host.Descriptors", vm=SERIAL, agent=label == "watched") for label in ("plain", "watched")]
    return compare(*outcomes)


UNLOADED = 1500  # loaders, of two classes each
BYTES_PER_LOADER = 32 * 1024  # what a loader's classes may leave behind in native memory: their names and sites; 4 to 18 KB measured


def unloading_memory(c):
    """Classes that come and go do not fill the memory: the process hardly grows with their number."""
    sizes = {}
    for agent in (False, True):
        for count in (500, 500 + UNLOADED):
            outcome = c.java(f"{'watched' if agent else 'plain'}_{count}", "host.Loaders", str(count), agent=agent, class_path=[pathlib.Path("/usr/share/java/asm.jar")],
                             vm=["-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", *SERIAL, "-XX:MaxMetaspaceSize=48m"])
            if outcome.status != 0:
                return f"{status_text(outcome.status)} after {count} loaders: {outcome.err[:300]}"
            sizes[agent, count] = int(re.search(r"VmHWM:\s+(\d+) kB", outcome.out).group(1)) * 1024
    plain, watched = ((sizes[agent, 500 + UNLOADED] - sizes[agent, 500]) // UNLOADED for agent in (False, True))
    return f"{watched - plain} bytes more for each loader than without the agent" if watched - plain > BYTES_PER_LOADER else ""


def checks(jdk, same):
    table = {
        "fault_killed": killed,
        "fault_sigterm": signalled(signal.SIGTERM),
        "fault_sigint": signalled(signal.SIGINT),
        "fault_sighup": signalled(signal.SIGHUP),
        "fault_full_disk": full_disk,
        "fault_file_limit": file_limit,
        "fault_folder_below_file": folder_below_file,
        "fault_unwritable_folder": unwritable_folder,
        "fault_two_at_once": two_at_once,
        "fault_descriptors": no_descriptors,
        "fault_wrong_option": wrong_option("nonsense=1"),
        "fault_wrong_value": wrong_option("engine=nonsense"),
        "unloading_memory": unloading_memory,
    }
    for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE):
        table[f"fault_crash_{number.name.lower()}"] = crash(number)
    table["memory_exit"] = out_of_memory_exit("-XX:+ExitOnOutOfMemoryError")
    table["memory_crash"] = out_of_memory_exit("-XX:+CrashOnOutOfMemoryError")
    return table
