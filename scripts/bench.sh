#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench.sh BUILD_DIR: runs every benchmark there is: the bench_* programs of bench/micro, then bench/*/run.sh. Results
# are left as JSON in BUILD_DIR/bench-results and shown as they come.
set -eu
cd "$(dirname "$0")/.."
build=$(cd "$1" && pwd)
results=$build/bench-results
mkdir -p "$results"

for program in "$build"/bin/bench_*; do
  [ -x "$program" ] || continue
  name=$(basename "$program")
  "$program" --benchmark_out="$results/$name.json" --benchmark_out_format=json
done
for script in bench/*/run.sh; do
  [ -f "$script" ] || continue
  DEADHEAT_BUILD="$build" DEADHEAT_RESULTS="$results" sh "$script"
done
echo "results: $results"
