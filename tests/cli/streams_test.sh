# SPDX-License-Identifier: Apache-2.0
# The program's own streams and signals are its own.
. "$(dirname "$0")/lib.sh"
records=$here/records

printf 'from stdin' | "$deadheat" run -- sh -c "java $records/clean.jsonl; cat" > "$work/out" 2> "$work/err"
[ "$(cat "$work/out")" = "from stdin" ] || fail "stdin or stdout was touched"

# A signal sent to deadheat reaches the program, and its exit status comes back.
for pair in TERM:40 INT:41; do
  rm -f ready
  # A shell starts background commands with SIGINT ignored; setsid with a fresh shell would too, hence python.
  python3 - "$deadheat" "$records/clean.jsonl" "${pair%:*}" "${pair#*:}" <<'PYTHON' || fail "signal ${pair%:*}"
import os, signal, subprocess, sys, time
deadheat, records, name, wanted = sys.argv[1:]
child = subprocess.Popen([deadheat, "run", "--", "java", records, "wait"], stderr=subprocess.PIPE)
deadline = time.monotonic() + 60
while not os.path.exists("ready") and time.monotonic() < deadline:
    time.sleep(0.01)
child.send_signal(getattr(signal, "SIG" + name))
errors = child.communicate(timeout=60)[1]
if child.returncode != int(wanted) or b"no races found in 1 JVM" not in errors:
    sys.exit(f"status {child.returncode}, not {wanted}; {errors!r}")
PYTHON
done
