# SPDX-License-Identifier: Apache-2.0
# The state folder on a disk that is full. Needs a mount of its own.
. "$(dirname "$0")/lib.sh"
unshare --map-root-user --mount true 2>/dev/null || { rm -rf "$work"; trap - EXIT; exit 77; }

mkdir small
cat > inside.sh <<'INSIDE'
mount -t tmpfs -o size=256k none small || exit 77
"$1" run --state small/state -- java "$2/clean.jsonl" || exit 70
# Fill it to the last byte, then let the next run find it full.
cat /dev/zero > small/filler 2>/dev/null
"$1" run --state small/state -- java "$2/clean.jsonl"
INSIDE
unshare --map-root-user --mount sh inside.sh "$deadheat" "$here/records" > "$work/out" 2> "$work/err"
status=$?
[ "$status" -ne 77 ] || { rm -rf "$work"; trap - EXIT; exit 77; }
[ "$status" -eq 3 ] || { fail "status $status, not 3"; cat "$work/err"; }
grep -qE "No space left on device|disk is full" "$work/err" || { fail "no message"; cat "$work/err"; }
