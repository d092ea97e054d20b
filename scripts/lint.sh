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

# clang cannot read g++'s precompiled headers, so it has compile commands of its own, and each file its own includes.
tidy() {
  cmake -G Ninja -S . -B "$build/lint" -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DDH_UNITY=OFF -DDH_TESTS=OFF -DDH_BENCH=OFF >/dev/null &&
    git ls-files -z 'src/*.cc' | xargs -0 -n 4 -P "$jobs" clang-tidy -p "$build/lint" --quiet
}

check "include directions" python3 scripts/check_includes.py
check "file sizes" python3 scripts/check_sizes.py
check "format" sh scripts/format.sh --check
check "clang-tidy" tidy
exit $failed
