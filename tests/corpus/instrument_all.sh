#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# instrument_all.sh AGENT JDK WORK: loads every class of the JDK's modules, and of the largest jars of the subject packages, into a JVM whose
# agent watches everything there is (include=*), under -Xverify:all. Fails when the JVM rejects a class that it accepts without the agent, when
# a method was skipped for another reason than its size, and when a class could not be read.
set -euo pipefail
agent=$1 jdk=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
max_jars=40
rm -rf "$work"
mkdir -p "$work/loader" "$work/modules" "$work/jars"
"$jdk/bin/javac" -d "$work/loader" "$here/../fuzz/VerifyAll.java"

# link KIND FOLDER [OPTION …]: the last line of VerifyAll, the numbers of classes verified, incomplete and rejected.
link() {
  local kind=$1 folder=$2
  shift 2
  "$jdk/bin/java" -Xverify:all -XX:-UsePerfData "$@" -cp "$work/loader" VerifyAll "$kind" "$folder" 2>"$work/$kind.stderr" | tail -1
}

compare() {
  local kind=$1 folder=$2
  shift 2
  local plain watched
  plain=$(link "$kind" "$folder" "$@") || true
  watched=$(link "$kind" "$folder" "-agentpath:$agent=include=*,dir=$work/run-$kind" "$@") || true
  echo "$kind without the agent: $plain"
  echo "$kind with the agent:    $watched"
  if [ -z "$plain" ] || [ "$plain" != "$watched" ]; then
    echo "FAILED; see $work/$kind.stderr and $work/run-$kind; again: $0 $agent $jdk $work"
    exit 1
  fi
  if cat "$work/run-$kind"/jvm-*/records.jsonl | grep -e '"bad_class"' -e '"skipped_method"' | grep -v -e 'over 65535 bytes' | awk 'NR <= 5' | grep .; then
    echo "FAILED: classes or methods were left out"
    exit 1
  fi
}

"$jdk/bin/jimage" extract --dir "$work/modules" "$jdk/lib/modules"
compare modules "$work/modules" --add-modules=ALL-SYSTEM

"$(dirname "$0")/subject_jars.sh" $max_jars |
  while read -r jar; do
    mkdir -p "$work/jars/$(basename "$jar" .jar)"
    unzip -qq -o "$jar" '*.class' -d "$work/jars/$(basename "$jar" .jar)" || [ $? -le 11 ]
  done
if [ -n "$(ls "$work/jars")" ]; then compare jars "$work/jars"; fi
rm -rf "$work"
