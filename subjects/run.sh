#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs one subject. See --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<EOF
usage: subjects/run.sh NAME [options] [--threads N] [--size tiny|small|default] [--seed S]
       subjects/run.sh --list

Builds subject NAME into the build directory and runs it. Prints "RESULT NAME HEX" on stdout; the hash depends on seed and
size only (and, for javac, on the JDK).

  --java JAVA        JDK home or java program to run with (default: java on PATH)
  --jvm-opt OPTION   one more JVM option; may be repeated
  --build-dir DIR    where the classes go (default: build/subjects)
  --print-command    build, then print the java command instead of running it
  --list             the names of all subjects

SUBJECT_JVM_OPTS in the environment: more JVM options, separated by spaces.
Status: the subject's own; 2 for a wrong command line; $EXIT_SKIPPED when the Debian package of the subject is not installed.
EOF
}

java=java
build=$REPO_DIR/build/subjects
name=
print_command=false
read -r -a jvm_options <<<"${SUBJECT_JVM_OPTS:-}"
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --list) subject_names; exit 0 ;;
    --print-command) print_command=true; shift; continue ;;
    -*) [ $# -ge 2 ] || fail $EXIT_USAGE "$1 needs a value" ;;&
    --java) java=$2; shift 2 ;;
    --jvm-opt) jvm_options+=("$2"); shift 2 ;;
    --build-dir) build=$2; shift 2 ;;
    --threads | --size | --seed) arguments+=("$1" "$2"); shift 2 ;;
    -*) fail $EXIT_USAGE "unknown option $1 (see --help)" ;;
    *)
      [ -z "$name" ] || fail $EXIT_USAGE "one subject at a time: $name, $1"
      name=$1
      shift
      ;;
  esac
done
[ -n "$name" ] || fail $EXIT_USAGE "which subject? One of: $(subject_names | tr '\n' ' ')"
[ -e "$SUBJECTS_DIR/$name/subject.conf" ] ||
  fail $EXIT_USAGE "no subject $name; there are: $(subject_names | tr '\n' ' ')"

program=$(java_program "$java") || fail $EXIT_USAGE "no java program at $java"
javac=$(dirname "$(readlink -f "$program")")/javac
build=$(realpath -m "$build")
libraries=$(library_path "$name")
build_subject "$name" "$build" "$libraries" "$javac"

read -r -a own_options <<<"$(conf_value "$name" jvm)"
command=("$program" "${own_options[@]}" "${jvm_options[@]}" -cp "$build/$name:$libraries" "$(conf_value "$name" main)"
  "${arguments[@]}")
if $print_command; then
  printf '%q ' "${command[@]}"
  echo
else
  exec "${command[@]}"
fi
