# SPDX-License-Identifier: Apache-2.0
# deadheat is killed with a signal nobody can catch: nothing of what it started stays, whatever is between it and the JVM.
. "$(dirname "$0")/lib.sh"
records=$here/records
unset DEADHEAT_SESSION

# wait_until CONDITION…: for at most a minute.
wait_until() {
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || return 1
    sleep 0.1
  done
}

# A zombie is gone: who reaps it is not ours to say.
lives() { case $(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2> /dev/null) in '' | Z) return 1 ;; esac; }
gone() { ! lives "$1"; }

# killed_with_its_parent NAME deadheat-arguments…: the JVM leaves its process id in the file jvm.
killed_with_its_parent() {
  name=$1
  shift
  rm -f jvm ready
  "$deadheat" "$@" > "$work/out" 2> "$work/err" &
  parent=$!
  if ! wait_until test -s jvm -a -e ready; then
    fail "$name: the JVM did not start"
    cat "$work/err"
    kill -KILL "$parent"
    return
  fi
  jvm=$(cat jvm)
  lives "$jvm" || fail "$name: the JVM does not live before deadheat is killed"
  kill -KILL "$parent"
  wait "$parent" 2> /dev/null
  wait_until gone "$jvm" || { fail "$name: the JVM lives on"; kill -KILL "$jvm"; }
}

jvm="$records/confirm"
killed_with_its_parent "run, a JVM" run -- sh -c 'echo $$ > jvm; exec java "$1" wait' sh "$jvm"
killed_with_its_parent "run, behind launchers" run -- sh -c 'sh -c "java $1 wait & echo \$! > jvm; wait"; :' sh "$jvm"
killed_with_its_parent "run, in a session of its own" run -- setsid sh -c 'echo $$ > jvm; exec java "$1" wait' sh "$jvm"
killed_with_its_parent "record" record -o trace -- sh -c 'echo $$ > jvm; exec java "$1" wait' sh "$jvm"
killed_with_its_parent "confirm" confirm -- sh -c 'sh -c "java $1 wait & echo \$! > jvm; wait"; :' sh "$jvm"
killed_with_its_parent "hunt" hunt -n 1 -- sh -c 'echo $$ > jvm; exec java "$1" wait' sh "$jvm"
killed_with_its_parent "deadheat in deadheat" run -- "$deadheat" run -- sh -c 'echo $$ > jvm; exec java "$1" wait' sh "$jvm"

# A run that ends as it should leaves what the program left running, and nobody who guards it.
run 0 "$deadheat" run -- sh -c 'sleep 600 > /dev/null 2>&1 & echo $! > left; java "$1"' sh "$records/clean.jsonl"
left=$(cat left)
mark=$(tr '\0' '\n' < "/proc/$left/environ" | sed -n 's/^DEADHEAT_SESSION=//p')
[ -n "$mark" ] || fail "what deadheat starts has no mark"
lives "$left" || fail "what the program left running was killed"
kill -KILL "$left"
