#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs subjects under the controlled scheduler, random walk, one seed after the other. See --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() {
  cat <<EOF
usage: subjects/schedule.sh --agent LIBRARY [options] [NAME...]

Runs each subject under the controlled scheduler with several seeds and demands what subjects/compare.sh does: the stdout (with its
RESULT line) and the exit status of the plain run. Without NAME: h2, lucene and tomcat.

  --agent LIBRARY      the agent, e.g. build/lib/libdeadheat.so
  --seeds N            seeds 1 to N (default: 10)
  --jdks "HOME..."     JDK homes or java programs (default: every JDK 17 or later in /usr/lib/jvm)
  --timeout SECONDS    for each run (default: 600)
  --build-dir DIR      where classes, outputs and records go (default: build/subjects)

Status: 0 all the same; 1 some differ, failed or did not end; 2 wrong command line; $EXIT_SKIPPED nothing could run as packages are missing.
EOF
}

agent='' seeds=10 time_limit=600
build=$REPO_DIR/build/subjects
options=()
names=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    -*) [ $# -ge 2 ] || fail $EXIT_USAGE "$1 needs a value" ;;&
    --agent) agent=$2; shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    --jdks) options+=(--jdks "$2"); shift 2 ;;
    --timeout) time_limit=$2; shift 2 ;;
    --build-dir) build=$2; shift 2 ;;
    -*) fail $EXIT_USAGE "unknown option $1 (see --help)" ;;
    *) names+=("$1"); shift ;;
  esac
done
[ -n "$agent" ] || fail $EXIT_USAGE "give the agent with --agent (see --help)"
[ ${#names[@]} -gt 0 ] || names=(h2 lucene tomcat)
build=$(realpath -m "$build")

status=0
for seed in $(seq "$seeds"); do
  echo "seed $seed"
  "$SUBJECTS_DIR/compare.sh" --agent "$agent" --threads 3 --size small --timeout "$time_limit" --build-dir "$build" \
    --agent-opts "dir=$build/schedule/$seed,engine=schedule,strategy=random,seed=$seed" "${options[@]}" "${names[@]}" ||
    { result=$?; [ "$result" -eq $EXIT_SKIPPED ] && exit $EXIT_SKIPPED; status=1; }
done
exit $status
