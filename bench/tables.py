# SPDX-License-Identifier: Apache-2.0
"""What the scripts that print the tables of the papers (confirm/run_table.py, predict/run_table.py) have in common."""

import argparse
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def table_parser(description, work):
    """The options of every table; `work` is the folder under build/."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--java", default="java", help="the java program (default: on PATH)")
    parser.add_argument("--javac", default="javac")
    parser.add_argument("--deadheat", default=str(ROOT / "build" / "bin" / "deadheat"))
    parser.add_argument("--work", type=Path, default=ROOT / "build" / work, help="emptied first")
    parser.add_argument("--jobs", type=int, default=2)
    return parser


def parse(parser, programs):
    """The arguments, with the programs that were asked for (default: all of `programs`), and an empty folder for work."""
    parser.add_argument("programs", nargs="*", help=f"of {', '.join(programs)} (default: all)")
    args = parser.parse_args()
    unknown = set(args.programs) - set(programs)
    if unknown:
        parser.error(f"there is no program {', '.join(sorted(unknown))}")
    args.programs = args.programs or list(programs)
    args.deadheat = str(Path(args.deadheat).resolve())
    shutil.rmtree(args.work, ignore_errors=True)
    args.work.mkdir(parents=True)
    args.work = args.work.resolve()
    return args


def print_head(columns):
    print_row(columns)
    print("|" + "|".join("---" if i == 0 else "---:" for i in range(len(columns))) + "|", flush=True)


def print_row(cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
