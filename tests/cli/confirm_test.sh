# SPDX-License-Identifier: Apache-2.0
# deadheat confirm and replay: the phases, the verdicts, what is kept, and bad input.
. "$(dirname "$0")/lib.sh"
records=$here/records

# Nothing is known: the possible races are looked for first. The two met, and an exception followed.
run 66 "$deadheat" confirm --json verdicts.json -- java "$records/confirm"
err_has "no race is known yet: looking for possible races first"
err_has "1 possible race found"
err_has "VERDICT: deadheat: R3f2a11c0 harmful: possible race (hybrid) on field bank.Account.balance"
err_has 'Write by thread "teller-1" (id 1), holding bank.Lock:'
err_has 'Read by thread "teller-2" (id 2), no lock held, which then went first:'
err_has "What broke: uncaught java.lang.IllegalStateException in bank.Account.balance (Account.java:4) (seed 1; the read in bank.Account.balance"
err_has "no money"
err_has "no difference seen in exit status, output and exceptions"
err_has "deadheat: 1 harmful, 0 real without harm seen, 0 not confirmed"
err_lacks "looking for races next"
grep -q '"verdict": "harmful"' verdicts.json || fail "no verdict in the JSON file"
ls .deadheat/runs/1/tries/control/stdout .deadheat/runs/1/tries/R3f2a11c0/1/stdout \
  .deadheat/runs/1/tries/R3f2a11c0/1-first-2/stdout > /dev/null || fail "the output of the tries is not kept"

err_has "met in 1 of 1 try; seed 1"

# One run may suspect nothing: then there are up to two more.
cat > second.sh << 'SECOND'
[ -e seen ] && exec java "$1/confirm"
: > seen
java "$1/clean.jsonl"
SECOND
run 66 "$deadheat" confirm --state second --tries 1 -- sh second.sh "$records"
err_has "nothing suspected in run 1 of at most 3: looking again"
err_has "1 possible race found in 2 JVMs"
run 0 "$deadheat" confirm --state none --json none.json -- java "$records/clean.jsonl"
[ "$(grep -c 'looking again' "$work/err")" -eq 2 ] || fail "not three runs"
err_has "nothing was suspected in 3 runs, so there is nothing to confirm"
err_has "  deadheat hunt -- java $records/clean.jsonl"
err_lacks "not confirmed"
grep -q '"races": \[\]' none.json || fail "no empty list in the JSON file"

# A run that fails says nothing about races: one message, with what the program said.
printf 'echo "no such class" >&2\njava "$1" exit 1\n' > failing.sh
run 3 "$deadheat" confirm --state failed -- sh failing.sh "$records/clean.jsonl"
err_has "'sh' exited with status 1 in the run that looks for races, and nothing was suspected until then; its stderr ends with:"
err_has "    no such class"
err_has "its output is kept in $PWD/failed/runs/1/search/1; if this status is as it should be: --expect-exit 1"
err_lacks "looking again"
err_lacks "no races found"
grep -q "no such class" failed/runs/1/search/1/stderr || fail "the output of the search is not kept"
run 3 "$deadheat" confirm --state failed --show-output -- sh failing.sh "$records/clean.jsonl"
[ "$(grep -c 'no such class' "$work/err")" -eq 1 ] || fail "what was shown is shown again"
run 0 "$deadheat" confirm --state failed --expect-exit 1 -- sh failing.sh "$records/clean.jsonl"
err_has "nothing was suspected in 3 runs"
run 3 "$deadheat" confirm --state failed -- java "$records/clean.jsonl" kill KILL
err_has "'java' was killed by signal 9"
run 0 "$deadheat" confirm --state failed --time-limit 1 -- java "$records/clean.jsonl" wait
err_has "nothing was suspected in 1 seconds, and the program had not ended then: give it an end, or more time with --time-limit"
err_lacks "looking again"

# The verdict is kept, and shown.
run 0 "$deadheat" report
out_has "harmful: uncaught java.lang.IllegalStateException in bank.Account.balance (Account.java:4) (met in 1 of 1 try, seed 1)"
run 0 "$deadheat" report --json
out_has '"verdict": "harmful"'

# Known races are not looked for again. Not confirmed: how often, and what got in the way.
run 0 "$deadheat" confirm --tries 3 R3f2a11c0 -- java "$records/never"
err_lacks "looking for possible races"
err_has "VERDICT: deadheat: R3f2a11c0 not confirmed"
err_has "Tried 3 times"
err_has "no such site was rewritten: bank/Account.balance()I@1"
err_has "does not say that the race cannot happen"
run 0 "$deadheat" report
out_has "not confirmed in 3 tries"

# A control that fails: told with what the program said, and the races are tried all the same; unless there is no program.
printf 'echo "no such file" >&2\njava "$@"\n' > bad.sh
run 66 "$deadheat" confirm --tries 1 -- sh bad.sh "$records/confirm" exit 5
err_has "the program fails without a meeting already: in the control it exited with status 5; its stderr ends with:"
err_has "    no such file"
err_has "if this status is as it should be: --expect-exit 5"

# Oracles of the user's: the exit status (the control does it too, so the race is not to blame) and the output.
run 66 "$deadheat" confirm --expect-exit 5 --tries 1 -- java "$records/confirm" exit 5
err_lacks "exit status 5, not"
run 2 "$deadheat" confirm --fail-on '(' -- java
err_has "is no regular expression"
run 2 "$deadheat" confirm --fail-on '' -- java
err_has "the expression is empty"
run 2 "$deadheat" confirm --all R3f2a11c0 -- java
err_has "--all tries every race, and R3f2a11c0 is one of them: leave one out"
run 2 "$deadheat" confirm --tries 0 -- java
err_has "'0' is not a whole number from 1"
run 0 "$deadheat" confirm --exit-code 0 -- java "$records/confirm"

# The program's output is not shown unless it is asked for.
run 66 "$deadheat" confirm -- java "$records/confirm" env
[ ! -s "$work/out" ] || fail "the program's output is on stdout"
run 66 "$deadheat" confirm --show-output -- java "$records/confirm" env
out_has "strategy=race,seed=1"
out_has "at=bank/Account.deposit(I)V@5|bank/Account.balance()I@1"
out_has "first=2"

# Bad input: one message each, with the next step.
run 3 "$deadheat" confirm R3f2a11c1 -- java "$records/confirm"
err_has "there is no race R3f2a11c1; did you mean R3f2a11c0? ('deadheat report' lists them)"
run 3 "$deadheat" confirm --state unknown R3f2a11c0 -- java "$records/confirm"
err_has "there is no race R3f2a11c0: none is known in $PWD/unknown yet; 'deadheat confirm --all -- java $records/confirm' looks for races first"
err_lacks "looking for possible races"
run 66 "$deadheat" confirm R3f2a11c0 R3f2a11c0 -- java "$records/confirm"
err_has "deadheat: 1 harmful, 0 real without harm seen, 0 not confirmed"
run 2 "$deadheat" confirm java -jar x.jar
err_has "'java' is no race id"
run 2 "$deadheat" confirm R1
err_has "no command given; write it after '--': deadheat confirm -- java"
run 3 "$deadheat" confirm -- true
err_has "'true' exited with status 0, and no JVM under deadheat was seen in it"
run 3 "$deadheat" confirm -- no-such-command
err_has "command not found: 'no-such-command'"
run 3 "$deadheat" confirm --state fresh -- true
err_has "no JVM under deadheat was seen"
# A race recorded by an agent that did not name the sites yet.
run 66 "$deadheat" run --state old -- java "$records/races.jsonl"
run 0 "$deadheat" confirm --state old R3f2a11 -- java "$records/confirm"
err_has "its record does not name the two sites"

run 2 "$deadheat" replay
err_has "no clip given"
run 2 "$deadheat" replay a b
err_has "expected one clip"
run 2 "$deadheat" replay --until noon a.clip
err_has "'noon' is nothing to stop at; write --until race"
run 2 "$deadheat" replay --shrink --tries 0 a.clip
err_has "'0' is not a whole number from 1"
run 3 "$deadheat" replay nothing.clip
err_has "there is no clip nothing.clip"
echo "no clip" > other.clip
run 3 "$deadheat" replay other.clip
err_has "cannot play other.clip: it is no clip of deadheat; 'deadheat confirm' and 'deadheat predict' leave them in .deadheat/clips"
: > empty.clip
run 3 "$deadheat" replay empty.clip
err_has "cannot play empty.clip: it is empty: make it again with 'deadheat confirm'"
mkdir damaged
echo "this is no database, however long one looks at it" > damaged/deadheat.db
run 3 "$deadheat" confirm --state damaged -- java "$records/confirm"
err_has "move it away to begin a new one"
printf 'DHCLIP\0\1\0\0\0\5{}' > torn.clip
run 3 "$deadheat" replay torn.clip
err_has "breaks off"
printf 'DHCLIP\0\7' > newer.clip
run 3 "$deadheat" replay newer.clip
err_has "it is a clip of version 7"

# Ctrl-C: the program is stopped, and deadheat says so.
rm -f ready
"$deadheat" confirm R3f2a11c0 -- java "$records/confirm" wait > "$work/out" 2> "$work/err" &
confirm=$!
while [ ! -e ready ]; do sleep 0.05; done
kill -TERM $confirm
wait $confirm
[ $? -eq 143 ] || fail "the status after SIGTERM is not 143"
err_has "interrupted; what was found until then is kept"
[ ! -e .deadheat/runs/$(ls .deadheat/runs | sort -n | tail -n 1)/tries/R3f2a11c0 ] || fail "a try was begun after the control was stopped"

# Ctrl-C in the middle of the tries: the verdict on those that were made is told, kept and shown.
rm -f ready
"$deadheat" confirm --tries 5 R3f2a11c0 -- java "$records/confirm" wait-at 3 > "$work/out" 2> "$work/err" &
confirm=$!
while [ ! -e ready ]; do sleep 0.05; done
kill -INT $confirm
wait $confirm
[ $? -eq 130 ] || fail "the status after SIGINT is not 130"
err_has "interrupted; what was found until then is kept"
err_has "met in 2 of 2 tries, seed 1, then interrupted"
err_has "Interrupted after 2 tries"
err_has "deadheat: 1 harmful, 0 real without harm seen, 0 not confirmed"
run 0 "$deadheat" report
out_has "met in 2 of 2 tries"

# What the user has in JAVA_TOOL_OPTIONS reaches every execution, not the first alone.
run 66 env JAVA_TOOL_OPTIONS=-Dmine=1 "$deadheat" confirm --tries 2 --show-output -- sh -c "java $records/confirm env"
[ "$(grep -c 'variable=-Dmine=1 -agentpath' "$work/out")" -eq "$(grep -c '^variable=' "$work/out")" ] || fail "JAVA_TOOL_OPTIONS is lost"
[ "$(grep -c '^variable=' "$work/out")" -ge 4 ] || fail "not every execution was shown"
