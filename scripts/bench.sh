#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench.sh BUILD_DIR [OPTION…]: the benchmarks: the *_bench programs of bench/micro (ns per operation), then bench/apps
# (slowdown of whole JVMs with the agent doing nothing, always on its fast path, and detecting). Results are left as JSON
# in BUILD_DIR/bench-results and shown as they come; last, bench/confirm (RaceFuzzer's table, a rough picture) and
# bench/record and bench/schedule (what recording and the controlled scheduler cost). Options go to bench/apps/run_bench.py.
set -eu
cd "$(dirname "$0")/.."
build=$(cd "$1" && pwd)
shift
results=$build/bench-results
mkdir -p "$results"

for program in "$build"/bin/*_bench; do
  [ -x "$program" ] || continue
  "$program" --benchmark_out="$results/$(basename "$program").json" --benchmark_out_format=json
done

agent=-agentpath:$build/lib/libdeadheat.so=dir=$results/records
python3 bench/apps/run_bench.py --build-dir "$build/bench-apps" --json "$results/apps.json" \
  --config "off=$agent,engine=off" --config "hit=$agent,engine=hit" --config "detect=$agent" "$@"
python3 bench/confirm/run_table.py --deadheat "$build/bin/deadheat" --work "$build/bench-confirm" --quick | tee "$results/confirm.md"
python3 bench/predict/run_table.py --deadheat "$build/bin/deadheat" --work "$build/bench-predict" --quick | tee "$results/predict.md"
python3 bench/record/run_record_bench.py --deadheat "$build/bin/deadheat" --repetitions 3 | tee "$results/record.txt"
python3 bench/schedule/run_schedule_bench.py --agent "$build/lib/libdeadheat.so" --repetitions 3 | tee "$results/schedule.txt"
echo "results: $results"
