# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the end-to-end tests of the deadheat program. Each runs in a folder of its own, which is kept when it fails.
# A program tree with a fake agent library is laid out beside it, and a fake `java` (fake_java.sh) leaves the records that
# the agent would have left, so these tests need no JVM.

set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
mkdir -p "$work/tool/bin" "$work/tool/lib" "$work/bin" "$work/project"
cp "$DEADHEAT" "$work/tool/bin/deadheat"
: > "$work/tool/lib/libdeadheat.so"
cp "$here/fake_java.sh" "$work/bin/java"
chmod +x "$work/bin/java"
PATH=$work/bin:$PATH
deadheat=$work/tool/bin/deadheat
cd "$work/project"
unset JAVA_TOOL_OPTIONS

failures=0
finish() {
  if [ "$failures" -eq 0 ]; then
    rm -rf "$work"
    exit 0
  fi
  echo "$failures checks failed; kept: $work"
  exit 1
}
trap finish EXIT

fail() {
  failures=$((failures + 1))
  echo "FAILED: $*"
}

# run WANTED_STATUS command…: runs it, keeps its output in the files out and err.
run() {
  wanted=$1
  shift
  "$@" > "$work/out" 2> "$work/err"
  status=$?
  [ "$status" -eq "$wanted" ] || { fail "status $status, not $wanted: $*"; cat "$work/err"; }
}

# err_has TEXT, err_lacks TEXT, out_has TEXT: about the last run.
err_has() { grep -qF -e "$1" "$work/err" || { fail "stderr lacks: $1"; cat "$work/err"; }; }
err_lacks() { ! grep -qF -e "$1" "$work/err" || { fail "stderr has: $1"; cat "$work/err"; }; }
out_has() { grep -qF -e "$1" "$work/out" || { fail "stdout lacks: $1"; cat "$work/out"; }; }
