# SPDX-License-Identifier: Apache-2.0
"""The table of checks of run_host.py: programs that must behave the same plain and watched."""

import faults
import tools
from run_host import VERIFY, Skip, compare

SERIAL = ["-XX:+UseSerialGC"]


def same(main, *args, vm=(), stderr=True, normal=lambda text: text, timeout=None, class_path=(), skip=None):
    """A check that runs one program plain and watched."""

    def check(c):
        if skip and skip(c):
            raise Skip(skip(c))
        how = {"vm": [*vm, *VERIFY], "timeout": timeout, "class_path": class_path}
        plain = c.java("plain", main, *args, **how)
        watched = c.java("watched", main, *args, agent=True, **how)
        return compare(plain, watched, stderr=stderr, normal=normal)

    return check


def has_vm_option(option):
    """A skip condition: the JVM does not take the option."""

    def reason(c):
        tried = c.run("tried", [c.args.java, option, "-version"])
        return "" if tried.status == 0 else f"this JVM does not take {option}"

    return reason


def all_checks(jdk):
    table = {
        "overflow": same("host.Overflow", vm=SERIAL),
        "memory": same("host.OutOfMemory", vm=[*SERIAL, "-Xmx32m"]),
        "memory_fits": same("host.OutOfMemory", "fits", vm=[*SERIAL, "-Xmx64m"]),
        "traces": same("host.Traces", vm=SERIAL),
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
        "mode_traces_comp": same("host.Traces", vm=[*SERIAL, "-Xcomp"]),
    }
    if jdk >= 25:
        table["mode_compact_headers"] = same("host.Work", vm=["-XX:+UseCompactObjectHeaders"])
    table |= tools.checks(jdk, same)
    table |= faults.checks(jdk, same)
    return table
