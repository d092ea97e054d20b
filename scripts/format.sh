#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# format.sh [--check]: clang-format over every C++ file that git knows; with --check nothing is written and a file that
# is not formatted is an error.
set -eu
cd "$(dirname "$0")/.."
mode=-i
[ "${1:-}" != --check ] || mode="--dry-run --Werror"
git ls-files -z '*.h' '*.cc' | xargs -0 --no-run-if-empty clang-format $mode
