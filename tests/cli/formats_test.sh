# SPDX-License-Identifier: Apache-2.0
# JSON, SARIF and suppressions, from `run` and from `report`.
. "$(dirname "$0")/lib.sh"
records=$here/records

run 66 "$deadheat" run --json out.json --sarif out.sarif -- java "$records/races.jsonl"
python3 - <<'PYTHON' || fail "out.json"
import json
report = json.load(open("out.json"))
assert [race["id"] for race in report["races"]] == ["R3f2a11", "R77aa02"], report
assert report["races"][0]["count"] == 42
assert report["races"][1]["variable"] == {"kind": "array", "class": "java.lang.Object[]", "index": 3}
assert report["jvms"][0]["ended"] is True
PYTHON
python3 "$here/check_sarif.py" out.sarif R3f2a11 R77aa02 || fail "out.sarif"

printf '# known\n  race_top:bank.Account.deposit$  \n' > supp.txt
run 66 "$deadheat" run --suppressions supp.txt --sarif out.sarif --json out.json -- java "$records/races.jsonl"
err_lacks "R3f2a11"
err_has "1 race found in 1 JVM, 3 classes watched; 1 suppressed"
python3 "$here/check_sarif.py" out.sarif R77aa02 R3f2a11:suppressed || fail "out.sarif with a suppression"
printf 'race:R3f2a11\nthread:^teller-2$\n' > supp.txt
run 0 "$deadheat" run --suppressions supp.txt -- java "$records/races.jsonl"
err_has "no races found"

printf 'race:fine\nrase:oops\n' > supp.txt
run 3 "$deadheat" run --suppressions supp.txt -- java "$records/races.jsonl"
err_has "supp.txt:2:1: unknown kind 'rase'"
run 3 "$deadheat" run --suppressions nowhere.txt -- java "$records/races.jsonl"
err_has "cannot read the suppressions nowhere.txt: No such file"

# Across runs: three of the runs above stored both races.
run 0 "$deadheat" report
out_has "WARNING: deadheat: data race R3f2a11"
out_has "R3f2a11  first seen 20"
out_has "126 in all"
run 0 "$deadheat" report 1
out_has "run 1: 2 races found in 1 JVM"
run 0 "$deadheat" report --json
cp "$work/out" report.json
python3 -c 'import json; assert len(json.load(open("report.json"))["races"]) == 2' || fail "report --json"
run 0 "$deadheat" report --sarif 1
cp "$work/out" report.sarif
python3 "$here/check_sarif.py" report.sarif R3f2a11 R77aa02 || fail "report --sarif"
run 3 "$deadheat" report 4711
err_has "there is no run 4711"
run 3 "$deadheat" report --state "$work/nowhere"
err_has "there is no folder"
cd /
run 3 "$deadheat" report
err_has "no .deadheat folder here or above"
