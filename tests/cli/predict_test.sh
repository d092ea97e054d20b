# SPDX-License-Identifier: Apache-2.0
# deadheat predict on traces that are there: what people and scripts get, and what bad input is told.
. "$(dirname "$0")/lib.sh"

# The race of 2 and 7 is hidden by the lock in happens-before, not in sync-preserving prediction.
printf 'A|fork(B)|1\nA|w(x)|2\nA|acq(l)|3\nA|rel(l)|4\nB|acq(l)|5\nB|rel(l)|6\nB|w(x)|7\n' > hidden
printf 'A|fork(B)|1\nA|acq(l)|2\nA|w(x)|3\nA|rel(l)|4\nB|acq(l)|5\nB|r(x)|6\nB|rel(l)|7\n' > guarded
# Two sections of one region; the write of the other thread fits between them.
printf 'A|fork(B)|1\nA|begin|2\nA|acq(l)|3\nA|r(x)|4\nA|rel(l)|5\nA|acq(l)|6\nA|w(x)|7\nA|rel(l)|8\nA|end|9\nB|acq(l)|10\nB|w(x)|11\nB|rel(l)|12\n' > sections
printf 'A|rel(l)|1\n' > broken

run 66 "$deadheat" predict --json found.json --sarif found.sarif hidden
err_has "data race on x"
err_has "cannot be false"
err_has "seen by: wcp, syncp, patterns"
python3 - found.json <<'PY' || fail "not the object that scripts were promised"
import json, sys
found = json.load(open(sys.argv[1]))
assert found["events"] == 7 and found["threads"] == 2 and not found["reexecuted"], found
race, = found["predictions"]
assert race["kind"] == "data race" and race["label"] == "cannot be false" and race["seen_by"] == ["wcp", "syncp", "patterns"], race
assert [access["event"] for access in race["accesses"]] == [2, 7] and race["schedule_events"] > 2, race
assert race["reexecution"] == {"result": "not tried"}, race
PY
id=$(python3 -c 'import json; print(json.load(open("found.json"))["predictions"][0]["id"])')
python3 "$here/check_sarif.py" found.sarif "$id" || fail "no valid SARIF"

run 0 "$deadheat" predict --exit-code 0 hidden
run 0 "$deadheat" predict guarded
err_has "cannot be false: nothing; candidates: nothing"
run 66 "$deadheat" predict --exact hidden
err_has "syncp, exact, patterns"

run 66 "$deadheat" predict --json found.json sections
err_has "atomicity violation (stale-update) on x"
err_has "shape: R(l1) W'(l1) W(l1)"

# The run itself is not serialisable, by atomic updates: the variable, the region and the event are told.
printf 'A|fork(B)|1\nA|begin(m)|2\nA|vu(c)|3\nB|vu(c)|4\nA|vu(c)|5\nA|end(m)|6\n' > updates
run 66 "$deadheat" predict updates
err_has "not serialisable on c ["
err_has "thread A enters the atomic region m in location 2, event 2"
err_has "thread A updates the volatile c in location 5, event 5"

printf 'pattern mine\nE = a - b - c\nT = t - u - t\nSV = x - x - x\nAR = p - q - p\nAT = r - w - w\n' > mine
run 66 "$deadheat" predict --patterns mine sections
err_has "user pattern (mine) on x"

# Bad input: one message with the next step.
printf 'pattern mine\nE = a - b\nT = t\n' > wrong
run 3 "$deadheat" predict --patterns wrong sections
err_has "wrong:3:"
run 3 "$deadheat" predict --patterns missing sections
err_has "cannot read the patterns in missing"
mkdir folder
run 3 "$deadheat" predict --patterns folder sections
err_has "cannot read the patterns in folder"
run 3 "$deadheat" predict folder
err_has "folder is a folder; the trace of a recorded run is jvm-*/trace"
run 3 "$deadheat" record -o folder -- true
err_has "folder is a folder; give a file in it"
run 3 "$deadheat" record -o nowhere/x -- true
err_has "there is no folder nowhere"
run 3 "$deadheat" predict missing
err_has "cannot open missing"
run 3 "$deadheat" predict broken
err_has "broken:1: rel(l) by A, but A does not hold l"
run 2 "$deadheat" predict
err_has "nothing to look at"
run 2 "$deadheat" predict hidden guarded
err_has "expected one trace"
run 3 "$deadheat" predict -- true
err_has "no JVM"
run 3 "$deadheat" predict --json /nowhere/x hidden
err_has "/nowhere/x"

# A torn trace is read up to where it breaks off, and that is said.
run 0 "$deadheat" trace convert --to binary -o whole.bin hidden
head -c $(($(wc -c < whole.bin) - 3)) whole.bin > torn.bin
"$deadheat" predict torn.bin > /dev/null 2> "$work/err"
err_has "torn.bin"
