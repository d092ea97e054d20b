#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on an #include that goes against the direction of the architecture (docs/architecture.md).

check_includes.py [ROOT]: reads every C++ file under ROOT/src (default: the tree this script lies in).
"""
import pathlib
import re
import sys

# The one table: which folders of src/ a folder may include besides itself.
MAY_INCLUDE = {
    "base": set(),
    "model": {"base"},
    "classfile": {"base"},
    "trace": {"model", "base"},
    "engine": {"model", "base"},
    "schedule": {"model", "base"},
    "report": {"model", "base"},
    "predict": {"engine", "trace", "model", "base"},
    "heal": {"engine", "schedule", "model", "base"},
    "agent": {"classfile", "engine", "schedule", "heal", "trace", "model", "base"},
    "java": set(),
    "cli": {"report", "predict", "heal", "trace", "engine", "schedule", "model", "base"},
}
ONLY_IN_AGENT = {"jni.h", "jvmti.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def problem_with(folder: str, bracket: str, path: str) -> str | None:
    name = path.rsplit("/", 1)[-1]
    if name in ONLY_IN_AGENT and folder != "agent":
        return f"{name} belongs to src/agent only"
    if bracket == "<":
        return None
    target = path.split("/", 1)[0]
    if target not in MAY_INCLUDE:
        return f'"{path}" is not written from src/: use "{folder}/…"'
    if target != folder and target not in MAY_INCLUDE[folder]:
        allowed = ", ".join(sorted(MAY_INCLUDE[folder])) or "nothing but the standard library"
        return f"{folder} may not include {target} (it may include {allowed})"
    return None


def problems_in(root: pathlib.Path):
    source = root / "src"
    for file in sorted(source.rglob("*")):
        if file.suffix not in {".h", ".cc"}:
            continue
        folder = file.relative_to(source).parts[0]
        if folder not in MAY_INCLUDE:
            yield f"{file.relative_to(root)}: folder {folder} has no row in scripts/check_includes.py"
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            problem = match and problem_with(folder, *match.groups())
            if problem:
                yield f"{file.relative_to(root)}:{number}: {problem}"


def main() -> int:
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    problems = list(problems_in(root))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
