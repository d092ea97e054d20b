#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# classfile_corpus.sh PROGRAM SEEDS: runs the class-file library over every class of every JDK (17 and up) found on this machine
# and of the largest jars of the subject packages: identity round trip, then every instruction surrounded by inserted code, then
# every resulting class linked under -Xverify:all. Exit 77 when there is no JDK to test with. The folder is kept on failure.
set -euo pipefail
program=$1
seeds=$2
here=$(cd "$(dirname "$0")" && pwd)
# Some 2 GB of small files: in memory where there is plenty, it takes half the time.
shm_free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -1 || echo 0)
if [ -z "${TMPDIR:-}" ] && [ "$shm_free" -gt 6000000 ]; then TMPDIR=/dev/shm; fi
work=$(mktemp -d "${TMPDIR:-/tmp}/classfile-corpus.XXXXXX")
max_jars=40

finish() {
  status=$?
  if [ $status -eq 0 ] || [ $status -eq 77 ]; then rm -rf "$work"; else echo "FAILED; files kept in $work"; fi
}
trap finish EXIT

# The homes of all JDKs of version 17 and up, each once.
jdks() {
  for java in ${JAVA_HOME:+"$JAVA_HOME/bin/java"} /usr/lib/jvm/*/bin/java; do
    home=$(dirname "$(dirname "$(realpath "$java" 2>/dev/null)")")
    [ -x "$home/bin/jimage" ] && [ -f "$home/lib/modules" ] || continue
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
    [ "${version:-0}" -ge 17 ] && echo "$home"
  done | sort -u
}

# verify JAVA KIND FOLDER [JVM OPTION …]: links every class below FOLDER.
verify() {
  local java=$1 kind=$2 folder=$3
  shift 3
  "$java" -Xverify:all -XX:-UsePerfData -XX:ErrorFile="$work/hs_err.log" "$@" -cp "$work/loader" VerifyAll "$kind" "$folder" \
    2> >(grep -v -e 'module-info.class ignored' -e '-Xverify:all' >&2 || true)
}

patches() {
  for module in "$1"/*; do echo "--patch-module=$(basename "$module")=$module"; done
}

# must_reject JAVA KIND FOLDER …: a broken class is noticed, or the runs above prove nothing.
must_reject() {
  if verify "$@" >"$work/canary.log" 2>&1 || ! grep -q 'VerifyError' "$work/canary.log"; then
    cat "$work/canary.log"
    echo "a broken class was not rejected"
    return 1
  fi
}

mapfile -t homes < <(jdks)
if [ ${#homes[@]} -eq 0 ]; then
  echo "SKIP: no JDK of version 17 or up with jimage (set JAVA_HOME)"
  exit 77
fi
"${homes[0]}/bin/javac" --release 17 -d "$work/loader" "$here/VerifyAll.java"

# Compilers no longer make jsr and ret: a class of our own.
"$seeds" "$work/seeds"
mkdir -p "$work/jsr/in/old"
cp "$work/seeds/old" "$work/jsr/in/old/T.class"
"$program" "$work/jsr/in" "$work/jsr/out"
"$program" --break "$work/jsr/in/old/T.class" "$work/jsr/canary/old/T.class"

for home in "${homes[@]}"; do
  echo "== $home"
  "$home/bin/jimage" extract --dir "$work/in" "$home/lib/modules"
  "$program" "$work/in" "$work/out"
  mapfile -t options < <(patches "$work/out")
  verify "$home/bin/java" modules "$work/out" --add-modules=ALL-SYSTEM "${options[@]}"
  canary=java.base/java/util/Observable.class
  "$program" --break "$work/in/$canary" "$work/canary/$canary"
  must_reject "$home/bin/java" modules "$work/canary" "--patch-module=java.base=$work/canary/java.base"
  rm -rf "$work/in" "$work/out" "$work/canary"
  verify "$home/bin/java" jars "$work/jsr/out"
  must_reject "$home/bin/java" jars "$work/jsr/canary"
done

mapfile -t jars < <("$here/../corpus/subject_jars.sh" $max_jars)
echo "== ${#jars[@]} jars of the subject packages"
[ ${#jars[@]} -gt 0 ] || exit 0
for jar in "${jars[@]}"; do
  mkdir -p "$work/in/$(basename "$jar" .jar)"
  unzip -qq -o "$jar" '*.class' -d "$work/in/$(basename "$jar" .jar)" || [ $? -le 11 ]
done
"$program" "$work/in" "$work/out"
java=${homes[0]}/bin/java
# A class whose dependencies are not there is not verified to the end; it must be so before the edit as well.
before=$(verify "$java" jars "$work/in" | tail -1)
after=$(verify "$java" jars "$work/out" | tail -1)
echo "before: $before"
echo "after:  $after"
[ "$before" = "$after" ]
