# SPDX-License-Identifier: Apache-2.0
"""What the checks of this folder share: their options, and how they tell what is wrong."""

import argparse


def arguments_of(description):
    parser = argparse.ArgumentParser(description=description)
    for option in ("java", "agent", "classes", "work"):
        parser.add_argument(f"--{option}", required=True)
    return parser.parse_args()


def report(name, problems, command):
    """Whether nothing is wrong."""
    print(f"{name}: {'FAILED' if problems else 'ok'}")
    for problem in problems:
        print(f"  {problem}")
    if problems:
        print(f"  again: {command}")
    return not problems
