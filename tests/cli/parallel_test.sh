# SPDX-License-Identifier: Apache-2.0
# Several deadheat programs at once in one state folder, from the first moment on.
. "$(dirname "$0")/lib.sh"
records=$here/records

count=8
for i in $(seq $count); do
  (
    "$deadheat" run -- java "$records/races.jsonl" > /dev/null 2> "$work/err.$i"
    echo $? > "$work/status.$i"
  ) &
done
wait
for i in $(seq $count); do
  [ "$(cat "$work/status.$i")" = 66 ] || { fail "run $i"; cat "$work/err.$i"; }
done
runs=$(ls .deadheat/runs | wc -l)
[ "$runs" -eq $count ] || fail "$runs run folders, not $count"
run 0 "$deadheat" report
out_has "336 in all"  # 8 × 42
