# SPDX-License-Identifier: Apache-2.0
"""The table of checks of run_host.py: programs that must behave the same plain and watched."""

import pathlib
import re

import faults
import tools
from run_host import VERIFY, Skip, compare

ASM = pathlib.Path("/usr/share/java/asm.jar")  # Debian: libasm-java
EXITS = ("return exit halt exit_in_synchronized exit_in_initialiser exit_in_finalizer exit_in_cleaner halt_in_hook hook_works hook_throws exit_while_busy "
         "halt_while_busy return_while_busy exit_in_thread exit_in_handler throws throws_out_of_synchronized throws_in_initialiser thread_throws "
         "thread_overflows others_go_on deep_exit").split()
COMP_C1 = ["-Xcomp", "-XX:TieredStopAtLevel=1"]  # a quarter of the time of both compilers
SERIAL = ["-XX:+UseSerialGC"]


def no_addresses(text):
    """Without what differs from run to run: the names of hidden classes."""
    return re.sub(r"\$\$Lambda[/$0-9a-fx]*", "$$Lambda", text)


def same(main, *args, vm=(), stderr=True, normal=lambda text: text, timeout=None, class_path=(), skip=None, may_warn=False, options=""):
    """A check that runs one program plain and watched, with more options for the agent if they are given."""

    def check(c):
        if skip and skip(c):
            raise Skip(skip(c))
        how = {"vm": [*vm, *VERIFY], "timeout": timeout, "class_path": class_path}
        plain = c.java("plain", main, *args, **how)
        watched = c.java("watched", main, *args, agent=True, options=options, **how)
        return compare(plain, watched, stderr=stderr, normal=normal, may_warn=may_warn)

    return check


def native(main, *args, vm=()):
    """As same(), with the programs' native library."""
    return lambda c: same(main, *args, vm=[*vm, f"-Dhost.native={c.args.native}", *(["--enable-native-access=ALL-UNNAMED"] if c.jdk >= 22 else [])])(c)


def has_vm_option(option):
    """A skip condition: the JVM does not take the option."""

    def reason(c):
        tried = c.run("tried", [c.args.java, option, "-version"])
        return "" if tried.status == 0 else f"this JVM does not take {option}"

    return reason


def needs(path):
    """A skip condition: the file is not there."""
    return lambda c: "" if path.exists() else f"there is no {path}"


def all_checks(jdk):
    table = {
        "overflow": same("host.Overflow", vm=SERIAL),
        # A ring that is full all the time: the stack may end where it makes room.
        "overflow_short_history": same("host.Overflow", vm=SERIAL, options=",history=20"),
        "memory": same("host.OutOfMemory", vm=[*SERIAL, "-Xmx32m"], may_warn=True),
        "memory_fits": same("host.OutOfMemory", "fits", vm=[*SERIAL, "-Xmx64m"]),
        "collected": same("host.Collected", vm=SERIAL),
        "traces": same("host.Traces", vm=SERIAL, normal=no_addresses),
        "reflect": same("host.Reflect", vm=SERIAL),
    }
    for name in ("Serial", "Parallel", "G1", "Z", "Shenandoah"):
        option = f"-XX:+Use{name}GC"
        table[f"gc_{name.lower()}"] = same("host.Work", vm=[option, "-Xmx256m"], skip=has_vm_option(option))
    table |= {
        "mode_int": same("host.Work", vm=[*SERIAL, "-Xint"]),
        "mode_comp": same("host.Work", "2", vm=[*SERIAL, "-Xcomp"]),
        "mode_share_off": same("host.Work", "2", vm=[*SERIAL, "-Xshare:off"]),
        "mode_share_auto": same("host.Work", "2", vm=[*SERIAL, "-Xshare:auto"]),
        "mode_traces_comp": same("host.Traces", vm=[*SERIAL, *COMP_C1], normal=no_addresses),
    }
    for engine in ("hit", "count", "hybrid", "lockset"):
        for main in ("Work", "Reflect", "Traces"):
            args = ["2"] if main == "Work" else []
            table[f"engine_{engine}_{main.lower()}"] = same(f"host.{main}", *args, vm=SERIAL, normal=no_addresses, options=f",engine={engine}")
    table |= {
        "loaders": same("host.Loaders", vm=SERIAL, class_path=[ASM], skip=needs(ASM)),
        "bytecode": same("host.Bytecode", vm=SERIAL, class_path=[ASM], skip=needs(ASM)),
        "bytecode_comp": same("host.Bytecode", "good", vm=[*SERIAL, *COMP_C1], class_path=[ASM], skip=needs(ASM)),
    }
    table |= {
        "threads": same("host.Threads", vm=SERIAL),
        "native": native("host.Native", vm=SERIAL),
        "native_check_jni": native("host.Native", vm=[*SERIAL, "-Xcheck:jni"]),
        "native_check_jni_work": same("host.Work", "2", vm=[*SERIAL, "-Xcheck:jni"]),
    }
    for how in EXITS:
        table[f"exit_{how}"] = same("host.Exits", how, vm=SERIAL)
    if jdk >= 21:
        table["virtual_threads"] = same("host.VirtualThreads", vm=SERIAL)
    if jdk >= 25:
        table["mode_compact_headers"] = same("host.Work", vm=["-XX:+UseCompactObjectHeaders"])
    table |= tools.checks(jdk, same)
    table |= faults.checks(jdk, same)
    return table
