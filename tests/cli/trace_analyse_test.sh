# SPDX-License-Identifier: Apache-2.0
# deadheat trace analyse: what scripts get, and what people get.
. "$(dirname "$0")/lib.sh"

# The race of 2 and 7 is hidden by the lock in happens-before, not in sync-preserving prediction.
printf 'A|fork(B)|1\nA|w(x)|2\nA|acq(l)|3\nA|rel(l)|4\nB|acq(l)|5\nB|rel(l)|6\nB|w(x)|7\n' > hidden
printf 'A|fork(B)|1\nA|w(x)|2\nB|w(x)|3\nB|r(x)|4\nA|join(B)|5\nA|r(x)|6\n' > plain
printf 'A|rel(l)|1\n' > broken

run 0 "$deadheat" trace analyse --with hb --json plain hidden
python3 - "$work/out" <<'PY' || fail "not the objects that scripts were promised"
import json, sys
plain, hidden = [json.loads(line) for line in open(sys.argv[1])]
assert plain["file"] == "plain" and plain["analysis"] == "hb" and plain["events"] == 6, plain
assert plain["pairs"] == [[2, 3], [2, 4]] and plain["racy"] == [3, 4] and plain["given_up"] == {}, plain
assert hidden["pairs"] == [] and hidden["racy"] == [], hidden
PY
run 0 "$deadheat" trace analyse --with syncp,lockset --json hidden
python3 - "$work/out" <<'PY' || fail "not what each analysis sees"
import json, sys
syncp, lockset = [json.loads(line) for line in open(sys.argv[1])]
assert syncp["analysis"] == "syncp" and syncp["pairs"] == [[2, 7]] and syncp["racy"] == [7], syncp
assert syncp["label"] == "cannot be false" and lockset["label"] == "candidate", (syncp, lockset)
assert "pairs" not in lockset and lockset["racy"] == [7], lockset
PY
run 0 "$deadheat" trace analyse --with hb --racy --json plain
out_has '"racy":[3,4]'
! grep -q pairs "$work/out" || fail "--racy printed pairs"
run 0 "$deadheat" trace analyse --with hb --most 1 --json plain
out_has '"pairs":[[2,3]],"racy":[3,4],"given_up":{"'

# One bad file costs that file only.
run 3 "$deadheat" trace analyse --with hb --json broken missing plain
err_has "broken:1: rel(l) by A, but A does not hold l"
err_has "cannot open missing"
out_has '{"file":"broken","analysis":"hb","error":"broken breaks the rules'
out_has '"racy":[3,4]'

run 66 "$deadheat" trace analyse --with hb --exit-code 66 plain
out_has "plain: hb: 2 events race with an earlier one (candidate)"
out_has "       2 A|w(x)|2"
run 0 "$deadheat" trace analyse --with hb --exit-code 66 hidden
out_has "hidden: hb: 0 events race"

run 2 "$deadheat" trace analyse --with magic plain
err_has "'magic' is no analysis; these are: hb, "
run 2 "$deadheat" trace analyse plain
err_has "no analysis given"
