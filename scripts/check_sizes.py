#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports the sizes of the C++ files under src/ and fails on one above its soft cap that does not say why.

A file over the cap says why in a comment in its first ten lines that contains the words "over the size cap".
"""
import pathlib
import statistics
import sys

CAPS = {".h": 300, ".cc": 600}
EXCUSE = "over the size cap"


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent
    failed = False
    for suffix, cap in CAPS.items():
        sizes = {file: file.read_text().splitlines() for file in sorted((root / "src").rglob(f"*{suffix}"))}
        if not sizes:
            continue
        lengths = [len(lines) for lines in sizes.values()]
        print(f"*{suffix}: {len(lengths)} files, median {statistics.median(lengths):.0f} lines, longest {max(lengths)}, cap {cap}")
        for file, lines in sizes.items():
            if len(lines) > cap and EXCUSE not in " ".join(lines[:10]):
                print(f"{file.relative_to(root)}: {len(lines)} lines, the cap is {cap}: split it or say why at its top")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
