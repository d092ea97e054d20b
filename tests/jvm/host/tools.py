# SPDX-License-Identifier: Apache-2.0
"""Checks with other tools beside the agent: debugger, JaCoCo, Java agents, jcmd, serialised files, launchers."""

import os
import pathlib
import re
import select
import struct
import subprocess
import time
import zipfile

from run_host import VERIFY, Skip, compare, first_difference

SERIAL = ["-XX:+UseSerialGC"]
JACOCO = pathlib.Path("/usr/share/java/org.jacoco.agent.jar")  # Debian: libjacoco-java; the agent itself is a jar inside this one
JACOCO_UP_TO = 17  # the newest class files that Debian 12's JaCoCo reads
SOURCE = pathlib.Path(__file__).resolve().parent


def serial(c):
    """Written by one, read by the other, in all four ways; the bytes are the same."""
    found = {}
    written = {}
    for writer in ("plain", "watched"):
        written[writer] = c.java(f"write_{writer}", "host.Serial", "write", c.folder / f"{writer}.ser", vm=SERIAL, agent=writer == "watched")
    for part, wrong in compare(written["plain"], written["watched"]).items():
        found["write" if not part else part] = wrong
    read = {(w, r): c.java(f"read_{w}_{r}", "host.Serial", "read", c.folder / f"{w}.ser", vm=SERIAL, agent=r == "watched") for w in written for r in written}
    for (writer, reader), outcome in read.items():
        a, b = read["plain", "plain"], outcome
        found[f"{writer}_read_by_{reader}"] = first_difference(a.out.splitlines() + [str(a.status)], b.out.splitlines() + [str(b.status)])
    return found


# ---- the debugger ---------------------------------------------------------------------------------------------------------------


class Debugger:
    """jdb, driven through its standard input and output, one command after each prompt."""

    def __init__(self, c, label, agent):
        folder = c.subfolder(label)
        options = " ".join([*([c.agent_option(folder)] if agent else []), *SERIAL, "-cp", c.class_path()])
        launcher = f"com.sun.jdi.CommandLineLaunch:home={c.java_home},main=host.Debuggee,options={options}"
        command = [c.java_home / "bin" / "jdb", "-connect", launcher]
        c.commands.append(" ".join(map(str, command)))
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder)
        self.deadline = time.monotonic() + c.args.timeout
        self.log = open(folder / "jdb", "w")
        self.at_prompt(r"> ?$")

    def at_prompt(self, prompt=r"(\w+\[\d+\] |> )$"):
        text = ""
        while not re.search(prompt, text):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, self.deadline - time.monotonic()))
            data = os.read(self.process.stdout.fileno(), 4096) if ready else b""
            if not data:
                break
            text += data.decode(errors="replace")
        self.log.write(text)
        self.log.flush()
        return text

    def say(self, command, prompt=r"\w+\[\d+\] $"):
        try:
            self.process.stdin.write((command + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            return "jdb has ended"
        return self.at_prompt(prompt)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.log.close()


LOOK = {"where": "where", "print_field": "print count", "print_static": "print host.Debuggee.shared", "print_array": "print numbers[1]", "locals": "locals",
        "call": "print this.hashed(10)", "set": "set count = 7", "dump": "dump this", "fields": "fields host.Debuggee", "next": "next", "next_again": "next",
        "print_after": "print count", "again": "cont", "where_again": "where"}
STEP = {"into": "step", "into_again": "step", "print": "print count", "up": "step up", "back": "step", "down": "step", "over": "next", "over_again": "next",
        "up_again": "step up", "last": "next"}


def debug(c, label, agent, commands):
    lines = {m.group(1): n for n, line in enumerate((SOURCE / "Debuggee.java").read_text().splitlines(), 1) if (m := re.search(r"// line: (\w+)", line))}
    jdb = Debugger(c, label, agent)
    answers = {}
    try:
        jdb.say(f"stop at host.Debuggee:{lines['add']}", r"> $")
        answers["breakpoint"] = jdb.say("run")
        for name, command in commands.items():
            answers[name] = jdb.say(command)
        if commands is STEP:
            return answers
        jdb.say(f"clear host.Debuggee:{lines['add']}")
        answers["watch"] = jdb.say("watch all host.Debuggee.count")
        answers["watched"] = jdb.say("cont")
        jdb.say("unwatch all host.Debuggee.count")
        answers["redefine"] = jdb.say(f"redefine host.Debuggee {pathlib.Path(c.args.classes[0]) / 'host' / 'Debuggee.class'}")
        jdb.say(f"stop at host.Debuggee:{lines['return']}")
        answers["cont"] = jdb.say("cont")
        answers["locals_at_return"] = jdb.say("locals")
        answers["end"] = jdb.say("cont", r"application exited|disconnected")
    finally:
        jdb.close()
    return answers


def debugger(commands):
    return lambda c: compare_answers(debug(c, "plain", False, commands), debug(c, "watched", True, commands))


def compare_answers(plain, watched):
    # While the program runs jdb shows "> ", in a thread of its own: before, behind or in the middle of a line of what it tells.
    tidy = lambda text: [line for line in re.sub(r" ?\(id=\d+\)| bci=\d+|> ", "", text).splitlines() if line.strip()]
    return {name: first_difference(tidy(plain[name]), tidy(watched[name])) for name in plain}


# ---- JaCoCo ---------------------------------------------------------------------------------------------------------------------


def coverage(path):
    """The probes of each class of the program that a JaCoCo file holds, by class name and id."""
    data = path.read_bytes()
    at = 0
    found = {}

    def take(form):
        nonlocal at
        value = struct.unpack_from(">" + form, data, at)
        at += struct.calcsize(">" + form)
        return value[0]

    def text():
        nonlocal at
        size = take("H")
        at += size
        return data[at - size:at].decode()

    def varint():
        value, shift = 0, 0
        while True:
            byte = take("B")
            value |= (byte & 0x7F) << shift
            if not byte & 0x80:
                return value
            shift += 7

    while at < len(data):
        kind = take("B")
        if kind == 0x01:
            take("H"), take("H")
        elif kind == 0x10:
            text(), take("q"), take("q")
        else:
            identity, name, count = take("q"), text(), varint()
            probes = [take("B") for _ in range((count + 7) // 8)]
            if name.startswith("host/"):
                found[name] = (identity, count, probes)
    return found


def jacoco(first):
    """JaCoCo's agent before or after ours on the command line: same output, same classes, same probes."""

    def check(c):
        if not JACOCO.exists():
            raise Skip(f"there is no {JACOCO} (libjacoco-java)")
        if c.jdk > JACOCO_UP_TO:
            raise Skip(f"Debian's JaCoCo does not know the class files of JDK {c.jdk}")
        jar = c.folder / "jacocoagent.jar"
        with zipfile.ZipFile(JACOCO) as outer:
            jar.write_bytes(outer.read("jacocoagent.jar"))
        runs = {}
        for label in ("plain", "watched"):
            folder = c.subfolder(label)
            ours = [c.agent_option(folder)] if label == "watched" else []
            theirs = [f"-javaagent:{jar}=destfile={folder / 'jacoco.exec'},includes=host.*"]
            agents = theirs + ours if first else ours + theirs
            runs[label] = c.run(label, [c.args.java, *agents, *SERIAL, *VERIFY, "-cp", c.class_path(), "host.Work", "2"])
        found = compare(runs["plain"], runs["watched"])
        a, b = coverage(c.folder / "plain" / "jacoco.exec"), coverage(c.folder / "watched" / "jacoco.exec")
        found["classes"] = "" if a.keys() == b.keys() else f"{sorted(b)} instead of {sorted(a)}"
        ids = [n for n in a if n in b and a[n][0] != b[n][0]]
        found["ids"] = f"{len(ids)} of {len(a)} classes have another id, as {ids[0]}: their coverage is lost" if ids else ""
        probes = [n for n in a if n in b and a[n][1:] != b[n][1:]]
        found["probes"] = f"{len(probes)} of {len(a)} classes have other probes, as {probes[0]}" if probes else ""
        return found

    return check


def java_agent(options):
    def check(c):
        jar = c.folder / "agent.jar"
        with zipfile.ZipFile(jar, "w") as out:
            out.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nPremain-Class: host.Premain\nCan-Retransform-Classes: true\nCan-Redefine-Classes: true\n")
        vm = [f"-javaagent:{jar}={options}", *SERIAL, *VERIFY]
        return compare(c.java("plain", "host.Premain", vm=vm), c.java("watched", "host.Premain", vm=vm, agent=True))

    return check


# ---- launchers ------------------------------------------------------------------------------------------------------------------


def launched(c, label, command, **how):
    folder = c.subfolder(label)
    (folder / ".deadheat").mkdir(parents=True, exist_ok=True)  # or one in a folder above would be taken
    return c.run(label, [c.args.deadheat, "run", "--exit-code", "0", "--", *command], cwd=folder, **how)


def records_of(outcome):
    return sorted(outcome.folder.glob(".deadheat/runs/*/jvm-*/records.jsonl"))


def run_java(c):
    """deadheat run -- java: the program's own standard output and exit status."""
    plain = c.java("plain", "host.Exits", "exit", vm=SERIAL)
    watched = launched(c, "watched", [c.args.java, *SERIAL, "-cp", c.class_path(), "host.Exits", "exit"])
    wrong = first_difference(plain.out.splitlines() + [str(plain.status)], watched.out.splitlines() + [str(watched.status)])
    return wrong or ("" if len(records_of(watched)) == 1 else "the JVM left no records")


def run_script(c):
    """A shell script that starts the JVM, as most launchers are."""
    script = c.folder / "launch"
    script.write_text(f'#!/bin/sh\necho from the script\nexec "{c.args.java}" -XX:+UseSerialGC -cp "{c.class_path()}" host.Work 2 "$@"\n')
    script.chmod(0o755)
    plain = c.run("plain", [script])
    watched = launched(c, "watched", [script])
    wrong = first_difference(plain.out.splitlines() + [str(plain.status)], watched.out.splitlines() + [str(watched.status)])
    return wrong or ("" if len(records_of(watched)) == 1 else "the JVM left no records")


def run_forks(through_script):
    """A JVM that forks another, as test runners do: each has records of its own."""

    def check(c):
        command = [c.args.java, *SERIAL, "-cp", c.class_path(), "host.Forks", c.args.java, c.class_path()]
        plain = c.run("plain", command)
        watched = launched(c, "watched", ["sh", "-c", '"$@"', "sh", *command] if through_script else command)
        wrong = first_difference(plain.out.splitlines() + [str(plain.status)], watched.out.splitlines() + [str(watched.status)])
        return {"output": wrong, "records": "" if len(records_of(watched)) == 3 else f"{len(records_of(watched))} of 3 JVMs left records"}

    return check


def maven(c):
    raise Skip("Maven's Surefire needs plug-ins from the network; run_forks has a JVM that forks others the way it does")


def jcmd(c):
    """The VM's own diagnostics on a watched program: they answer, and no thread dump shows a frame of ours."""
    process = c.start("watched", c.java_command("watched", "host.Exits", "wait_for_signal", vm=SERIAL, agent=True))
    try:
        out = c.folder / "watched" / "stdout"
        while b"ready" not in out.read_bytes():
            if process.poll() is not None:
                return "the program ended"
        found = {}
        for command in ("Thread.print", "GC.class_histogram", "VM.version", "GC.heap_info", "VM.classloader_stats"):
            answer = c.run(command, [c.java_home / "bin" / "jcmd", str(process.pid), command])
            found[command] = "" if answer.status == 0 else f"{answer.status}: {answer.err}"
            frames = [line.strip() for line in answer.out.splitlines() if re.match(r"\s+at .*eadheat", line)]
            found[command + "_frames"] = f"{len(frames)} frames of ours, as {frames[0]}" if frames else ""
        return found
    finally:
        process.kill()
        process.wait()


def settings(c, label, names, *vm, options="", much="0"):
    out = c.java(label, "host.VmSettings", much, vm=vm, agent=True, options=options).out
    return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", out) if name in names}


def compiler_settings(c):
    """The VM's limits of inlining: lowered for rewritten code, and more so for much of it; left alone where the user has set one and where nothing is rewritten."""

    def limits(label, *vm, options="", much="0"):
        return settings(c, label, ("FreqInlineSize", "InlineSmallCode"), *vm, options=options, much=much)

    plain = limits("off", options=",engine=off")
    watched = limits("watched")
    asked = limits("asked", "-XX:FreqInlineSize=301")
    much = limits("much", much="2000")
    asked_much = limits("asked_much", "-XX:FreqInlineSize=301", much="2000")
    found = {"known": "" if len(plain) == 2 else f"the VM tells of {plain} only"}
    found["lowered"] = "" if all(watched.get(name, 0) < limit for name, limit in plain.items()) else f"{watched}, without hooks {plain}"
    found["lowered_more"] = "" if all(much.get(name, limit) < limit for name, limit in watched.items()) else f"{much}, with few hooks {watched}"
    found["asked_for"] = "" if asked == watched | {"FreqInlineSize": 301} else f"{asked}, by default {watched}"
    found["asked_for_much"] = "" if asked_much == much | {"FreqInlineSize": 301} else f"{asked_much}, by default {much}"
    return found


def survivor_settings(c):
    """Room for survivors: more of it under G1, unless the user has said how much, or nothing is rewritten."""

    def room(label, *vm, options=""):
        return settings(c, label, ("SurvivorRatio", "TargetSurvivorRatio"), *vm, options=options)

    plain = room("plain_room", "-XX:+UseG1GC", options=",engine=off")
    watched = room("room", "-XX:+UseG1GC")
    asked = room("asked_room", "-XX:+UseG1GC", "-XX:SurvivorRatio=5")
    serial = room("serial_room", "-XX:+UseSerialGC")
    found = {"known": "" if len(plain) == 2 else f"the VM tells of {plain} only"}
    more = watched.get("SurvivorRatio", 99) < plain.get("SurvivorRatio", 0) and watched.get("TargetSurvivorRatio", 0) > plain.get("TargetSurvivorRatio", 99)
    found["more"] = "" if more else f"{watched}, without hooks {plain}"
    found["asked_for"] = "" if asked == watched | {"SurvivorRatio": 5} else f"{asked}, by default {watched}"
    found["serial"] = "" if serial == plain else f"{serial}, without hooks {plain}"
    return found


def own_hashes(c):
    """Arrays and locks that are met take no identity hash from their thread's sequence; those they get are stable and differ."""
    found = {}
    for collector in ("Serial", "Parallel", "G1", "Z"):
        few, many = (c.java(f"{collector}_{met}", "host.Hashes", str(met), vm=(f"-XX:+Use{collector}GC",), agent=True).out.splitlines() for met in (0, 5000))
        whole = len(few) == 2 and len(many) == 2 and few[0].startswith("fresh ")
        # How many hashes the start of the VM takes may differ by a few: the locks of JDK 17 that are held when they are met.
        sequence, other = few[0].split()[1:], many[0].split()[1:]
        same = any(sequence[skipped:] == other[: len(other) - skipped] or other[skipped:] == sequence[: len(sequence) - skipped] for skipped in range(5))
        found[collector] = "" if whole and same else f"the hashes of others are {other}, where nothing is met {sequence}"
        alike = re.fullmatch(r"changed 0 alike (\d+)", many[1]) if whole else None
        found[f"{collector}_hashes"] = "" if alike and int(alike[1]) < 10 else f"of 10000 hashes {many[1:]}"
    return found


def checks(jdk, same):
    return {
        "compiler_settings": compiler_settings,
        "survivor_settings": survivor_settings,
        "serial": serial,
        "debugger": debugger(LOOK),
        "debugger_step": debugger(STEP),
        "jacoco_first": jacoco(True),
        "jacoco_last": jacoco(False),
        "java_agent": java_agent("load"),
        "java_agent_retransforms": java_agent("retransform"),
        "identity": same("host.Identity", vm=SERIAL),
        "own_hashes": own_hashes,
        "run_java": run_java,
        "run_script": run_script,
        "run_forks": run_forks(False),
        "run_forks_in_script": run_forks(True),
        "run_maven": maven,
        "jcmd": jcmd,
    }
