#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs subjects without and with the agent and demands the same stdout and exit status. See --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<EOF
usage: subjects/compare.sh (--agent LIBRARY | --jvm-opt OPTION) [options] [NAME...]

Runs each subject on each JDK twice, plain and with the agent, and compares stdout (with its RESULT line) and exit status.
One line each, with wall and CPU seconds of both runs and their ratios; a failure also prints the commands that repeat it.
Without NAME: all subjects.

  --agent LIBRARY      the agent, e.g. build/lib/libdeadheat.so
  --agent-opts OPTS    its options: -agentpath:LIBRARY=OPTS
  --jvm-opt OPTION     one more JVM option of the second run; alone, compares the plain JVM with itself under that option
  --jdks "HOME..."     JDK homes or java programs (default: every JDK 17 or later in /usr/lib/jvm)
  --threads N, --size tiny|small|default, --seed S   for the subjects (default: 4, small, 1)
  --timeout SECONDS    for each run (default: 120)
  --build-dir DIR      where classes and outputs go (default: build/subjects)

Status: 0 all the same; 1 some differ or failed; 2 wrong command line; $EXIT_SKIPPED nothing could run as packages are missing.
EOF
}

agent='' agent_options='' jdks=''
threads=4 size=small seed=1 time_limit=120
build=$REPO_DIR/build/subjects
extra_options=()
names=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    -*) [ $# -ge 2 ] || fail $EXIT_USAGE "$1 needs a value" ;;&
    --agent) agent=$2; shift 2 ;;
    --agent-opts) agent_options=$2; shift 2 ;;
    --jvm-opt) extra_options+=("$2"); shift 2 ;;
    --jdks) jdks=$2; shift 2 ;;
    --threads) threads=$2; shift 2 ;;
    --size) size=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --timeout) time_limit=$2; shift 2 ;;
    --build-dir) build=$2; shift 2 ;;
    -*) fail $EXIT_USAGE "unknown option $1 (see --help)" ;;
    *) names+=("$1"); shift ;;
  esac
done
if [ -n "$agent" ]; then
  [ -f "$agent" ] || fail $EXIT_USAGE "no agent at $agent"
  extra_options+=("-agentpath:$(readlink -f "$agent")${agent_options:+=$agent_options}")
fi
[ ${#extra_options[@]} -gt 0 ] || fail $EXIT_USAGE "nothing to compare with: give --agent or --jvm-opt (see --help)"
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(subject_names)
build=$(realpath -m "$build")
[ -n "$jdks" ] || jdks=$(jdk_homes)

# The command of one run, quoted for the shell.
command_line() { # command_line NAME JDK [JVM_OPTION...]
  local name=$1 jdk=$2 option options=()
  shift 2
  for option in "$@"; do
    options+=(--jvm-opt "$option")
  done
  "$SUBJECTS_DIR/run.sh" "$name" --java "$jdk" --build-dir "$build" --print-command "${options[@]}" \
    --threads "$threads" --size "$size" --seed "$seed"
}

# Runs a command in the folder of OUT, where the agent may leave files; leaves OUT.stdout, OUT.stderr, OUT.status (124: timed out) and OUT.time ("wall user system").
measure() { # measure OUT COMMAND
  local out=$1 TIMEFORMAT='%R %U %S' status=0
  local start
  start="env --chdir=$(printf %q "$(dirname "$out")") timeout --kill-after=10 $time_limit"
  { time eval "$start $2" >"$out.stdout" 2>"$out.stderr"; } 2>"$out.time" || status=$?
  echo "$status" >"$out.status"
}

report_times() { # report_times PLAIN.time WITH.time
  cat "$1" "$2" | awk '
    { wall[NR] = $1; cpu[NR] = $2 + $3 }
    END {
      printf "wall %.2f -> %.2f s (%.2fx), cpu %.2f -> %.2f s (%.2fx)",
        wall[1], wall[2], wall[2] / (wall[1] + 0.001), cpu[1], cpu[2], cpu[2] / (cpu[1] + 0.001)
    }'
}

verdict() { # verdict PLAIN WITH
  local plain=$1 with=$2
  if [ "$(cat "$plain.status")" != 0 ]; then
    echo "FAILED plain (status $(cat "$plain.status"))"
  elif ! grep -q '^RESULT ' "$plain.stdout"; then
    echo "FAILED plain (no RESULT line)"
  elif [ "$(cat "$with.status")" = 124 ]; then
    echo "FAILED with agent (more than $time_limit s)"
  elif [ "$(cat "$with.status")" != 0 ]; then
    echo "FAILED with agent (status $(cat "$with.status"))"
  elif ! cmp -s "$plain.stdout" "$with.stdout"; then
    echo "DIFFERENT stdout"
  else
    echo same
  fi
}

# Prints the line of one subject on one JDK. Status: 0 same, 1 different, 77 skipped.
compare() { # compare NAME JDK
  local name=$1 jdk=$2 outputs plain with status=0
  plain=$(command_line "$name" "$jdk") || status=$?
  [ $status -eq 0 ] || return $status
  with=$(command_line "$name" "$jdk" "${extra_options[@]}")
  outputs=$build/compare/$name-$(basename "$jdk")
  rm -rf "$outputs"
  mkdir -p "$outputs"
  measure "$outputs/plain" "$plain"
  measure "$outputs/with" "$with"
  local outcome
  outcome=$(verdict "$outputs/plain" "$outputs/with")
  printf '%-8s %-24s %s, %s\n' "$name" "$(basename "$jdk")" "$outcome" \
    "$(report_times "$outputs/plain.time" "$outputs/with.time")"
  [ "$outcome" != same ] || return 0
  printf '  plain: %s\n  with:  %s\n  outputs: %s\n' "$plain" "$with" "$outputs"
  diff "$outputs/plain.stdout" "$outputs/with.stdout" | head -n 10 | sed 's/^/  /' || true
  case $outcome in
    *plain*) tail -n 15 "$outputs/plain.stderr" ;;
    *) tail -n 15 "$outputs/with.stderr" ;;
  esac | sed 's/^/  stderr: /'
  return 1
}

failed=0 passed=0
for name in "${names[@]}"; do
  for jdk in $jdks; do
    status=0
    compare "$name" "$jdk" || status=$?
    case $status in
      0) passed=$((passed + 1)) ;;
      "$EXIT_SKIPPED") ;;
      *) failed=$((failed + 1)) ;;
    esac
  done
done
[ $failed -eq 0 ] || exit 1
[ $passed -gt 0 ] || exit $EXIT_SKIPPED
