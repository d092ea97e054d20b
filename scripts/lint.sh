#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# lint.sh BUILD_DIR JOBS: everything that can be said about the sources without running them. All checks run; the exit
# status is non-zero when one failed.
set -u
cd "$(dirname "$0")/.."
build=$1
jobs=$2
failed=0

check() {
  echo "== $1"
  shift
  "$@" || failed=1
}

# Generated headers (the shim, for one) must exist before clang-tidy reads what includes them.
tidy() {
  cmake --build "$build" --parallel "$jobs" >/dev/null &&
    git ls-files -z 'src/*.cc' | xargs -0 -n 4 -P "$jobs" clang-tidy -p "$build" --quiet
}

check "include directions" python3 scripts/check_includes.py
check "file sizes" python3 scripts/check_sizes.py
check "format" sh scripts/format.sh --check
check "clang-tidy" tidy
exit $failed
