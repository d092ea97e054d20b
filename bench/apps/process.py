# SPDX-License-Identifier: Apache-2.0
"""Runs one process and tells what it cost: wall time, CPU time, largest resident set."""

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """One finished process. CPU time and memory are those of the process itself and its children."""

    status: int  # exit status; negative: killed by that signal
    timed_out: bool
    stdout: str
    stderr: str
    wall_ns: int
    cpu_ns: int
    rss_kb: int


def run(command, timeout_s):
    """Runs `command`, killing its whole process group after `timeout_s`."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic_ns()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
        )
        timed_out = threading.Event()

        def kill():
            timed_out.set()
            with contextlib.suppress(ProcessLookupError):  # it ended at this very moment
                os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(timeout_s, kill)
        timer.start()
        try:
            # wait4, not Popen.wait: the resource usage of exactly this child.
            _, wait_status, usage = os.wait4(process.pid, 0)
        except BaseException:  # Ctrl-C: leave no process behind
            os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            timer.cancel()
        wall_ns = time.monotonic_ns() - start
        process.returncode = os.waitstatus_to_exitcode(wait_status)
        return Outcome(
            status=process.returncode,
            timed_out=timed_out.is_set(),
            stdout=_text(out),
            stderr=_text(err),
            wall_ns=wall_ns,
            cpu_ns=int((usage.ru_utime + usage.ru_stime) * 1e9),
            rss_kb=usage.ru_maxrss,
        )


def _text(file):
    file.seek(0)
    return file.read().decode(errors="replace")
