# SPDX-License-Identifier: Apache-2.0
"""What can be measured: micro kernels, subjects, start-up. Each knows its command and how to read what it printed.

A sample is a dict with wall_ns, cpu_ns, rss_kb and result; `result` must not depend on the configuration. `sample`
raises ValueError for output it cannot read.
"""

import json
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

APPS_DIR = Path(__file__).resolve().parent
RUN_SUBJECT = APPS_DIR.parent.parent / "subjects" / "run.sh"
PACKAGE_MISSING = 77  # status of subjects/run.sh
KERNEL_PACKAGE = "kernels"


class Unavailable(Exception):
    """This workload cannot run here; the message says why."""


def build_kernels(build_dir, javac):
    """Compiles the kernels, for every JDK from 17 on; returns the class path."""
    classes = Path(build_dir) / KERNEL_PACKAGE
    classes.mkdir(parents=True, exist_ok=True)
    sources = sorted(str(path) for path in (APPS_DIR / KERNEL_PACKAGE).glob("*.java"))
    subprocess.run(
        [javac, "--release", "17", "-Xlint:-options", "-d", str(classes), *sources], check=True
    )
    return classes


def kernel_names(java, classes):
    command = [java, "-cp", str(classes), f"{KERNEL_PACKAGE}.KernelMain", "--list"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def subject_names():
    command = [str(RUN_SUBJECT), "--list"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


@dataclass(frozen=True)
class Kernel:
    """A micro kernel, which times itself after its warm-up; only the memory is that of the whole process."""

    name: str
    classes: Path
    warmup: int
    repetitions: int
    group = "kernels"

    def command(self, java, jvm_options):
        main = [f"{KERNEL_PACKAGE}.KernelMain", self.name]
        counts = ["--warmup", str(self.warmup), "--repetitions", str(self.repetitions)]
        return [java, *jvm_options, "-cp", str(self.classes), *main, *counts]

    def sample(self, outcome):
        line = json.loads(outcome.stdout)
        return {
            "wall_ns": line["wall_ns"],
            "cpu_ns": line["cpu_ns"],
            "rss_kb": outcome.rss_kb,
            "result": line["checksum"],
        }


@dataclass(frozen=True)
class Subject:
    """A subject of subjects/; measured from outside, start-up included."""

    name: str
    size: str
    build_dir: Path
    group = "subjects"

    def command(self, java, jvm_options):
        command = [str(RUN_SUBJECT), self.name, "--java", java, "--size", self.size, "--print-command"]
        command += ["--build-dir", str(self.build_dir / "subjects")]
        for option in jvm_options:
            command += ["--jvm-opt", option]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == PACKAGE_MISSING:
            raise Unavailable(done.stderr.strip())
        if done.returncode != 0:
            raise SystemExit(f"{shlex.join(command)} failed:\n{done.stderr}")
        return shlex.split(done.stdout)

    def sample(self, outcome):
        return _whole_process(outcome)


@dataclass(frozen=True)
class Startup:
    """A program that does nothing."""

    classes: Path
    name = "empty"
    group = "startup"

    def command(self, java, jvm_options):
        return [java, *jvm_options, "-cp", str(self.classes), f"{KERNEL_PACKAGE}.Empty"]

    def sample(self, outcome):
        return _whole_process(outcome)


def _whole_process(outcome):
    return {
        "wall_ns": outcome.wall_ns,
        "cpu_ns": outcome.cpu_ns,
        "rss_kb": outcome.rss_kb,
        "result": outcome.stdout,
    }
