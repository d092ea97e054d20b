# SPDX-License-Identifier: Apache-2.0
# How the agent is handed over, and what happens to commands that are no JVM.
. "$(dirname "$0")/lib.sh"
records=$here/records

# A java launcher gets the agent as an argument; nothing is printed by the JVM then.
run 0 "$deadheat" run -- java "$records/clean.jsonl" env
out_has "agent=-agentpath:$work/tool/lib/libdeadheat.so=dir=$work/project/.deadheat/runs/1"
# … and the JVMs it forks are reached as well.
run 66 "$deadheat" run -- java "$records/clean.jsonl" fork "$records/races.jsonl"
err_has "2 races found in 2 JVMs"

# Any other command gets it through the environment, behind what is there already.
run 0 env JAVA_TOOL_OPTIONS=-Dmine=1 "$deadheat" run -- sh -c "java $records/clean.jsonl env"
out_has "variable=-Dmine=1 -agentpath:"
run 0 env JAVA_TOOL_OPTIONS=-Dmine=1 "$deadheat" run -- java "$records/clean.jsonl" env
out_has "variable=-Dmine=1 -agentpath:"

run 0 "$deadheat" run --include 'app.*' --include '*Test' --exclude 'app.gen.*' --no-fast-path --halt-on-error \
  -- java "$records/clean.jsonl" env
out_has ",include=app.*;*Test,exclude=app.gen.*,fast_path=off,halt_on_error=on"

# Folders with spaces, commas and percent signs.
mkdir "a b,c%20"
cd "a b,c%20"
mkdir .deadheat
run 66 "$deadheat" run -- java "$records/races.jsonl"
run 66 "$deadheat" run -- sh -c "java $records/races.jsonl"
[ -d .deadheat/runs/2 ] || fail "the run folder is not where it should be"
cd ..

# The state folder is found upwards, or where it is said to be.
mkdir -p deep/er
cd deep/er
run 0 "$deadheat" run -- java "$records/clean.jsonl"
[ ! -e .deadheat ] || fail "a second state folder was made"
run 0 "$deadheat" run --state "$work/elsewhere" -- java "$records/clean.jsonl"
[ -d "$work/elsewhere/runs/1" ] || fail "--state is not used"
cd ../..

run 3 "$deadheat" run -- true
err_has "'true' exited with status 0, and no JVM under deadheat was seen in it"
run 3 "$deadheat" run -- sh -c 'exit 9'
err_has "exited with status 9"
run 3 "$deadheat" run -- sh -c 'kill -TERM $$'
err_has "killed by signal 15"
run 3 "$deadheat" run -- no-such-command-here
err_has "command not found: 'no-such-command-here'"
: > not-executable
run 3 "$deadheat" run -- ./not-executable
err_has "cannot start './not-executable': Permission denied"

rm "$work/tool/lib/libdeadheat.so"
run 3 "$deadheat" run -- java "$records/clean.jsonl"
err_has "cannot find the agent"
