# SPDX-License-Identifier: Apache-2.0
# deadheat hunt: the phases, what is kept between hunts, the comparison, and Ctrl-C.
. "$(dirname "$0")/lib.sh"
records=$here/records

# Nothing is known: relations are learnt first. Each race is told once, with the orders that were reversed.
run 66 "$deadheat" hunt -n 3 --json races.json -- java "$records/hunt"
err_has "learning which methods may acquire which locks"
err_has "deadheat: drfinder, seed"
err_has "WARNING: deadheat: data race R3f2a11c0 on field bank.Account.balance"
err_has "Found by a hunt (drfinder, seed 1) that reversed these lock orders:"
err_has 'bank.Lock: thread "teller-2" at bank.Account.balance:4 before thread "teller-1" at bank.Account.deposit:3'
err_has "9 lock orders reversed in 12 holds, thrashing 25.0%; 2 relations known"
err_has "1 race found in 3 JVMs"
err_has "deadheat confirm R3f2a11c0 -- java"
[ "$(grep -c '^WARNING' "$work/err")" -eq 1 ] || fail "the race is not told once"
grep -q '"reversed"' races.json || fail "the JSON file does not say what exposed the race"
for part in relations/stdout drfinder-1/stdout drfinder-3/stderr; do
  [ -e ".deadheat/runs/1/hunt/$part" ] || fail "$part is not kept"
done

# The next hunt goes on: nothing is learnt anew, the seeds follow, and each run is given what is known.
run 66 "$deadheat" hunt -n 1 -- java "$records/hunt"
err_lacks "learning which methods"
grep -q 'bank.Account.deposit	bank.Lock' .deadheat/runs/2/hunt/drfinder-4/relations || fail "the relations were not handed on"
run 66 "$deadheat" hunt -n 1 --fresh -- java "$records/hunt"
err_has "learning which methods"
[ -d .deadheat/runs/3/hunt/drfinder-1 ] || fail "--fresh does not begin with seed 1"

# The race is in the database, for report and confirm.
run 0 "$deadheat" report
out_has "R3f2a11c0"
out_has "Found by a hunt"

# Strategies side by side. The table, and the picture.
run 66 "$deadheat" hunt -n 2 --compare --chart chart.html -- java "$records/hunt"
err_has "strategy  runs  races  new  missed"
err_has "native       2      1"
err_has "contest      2      1"
err_has "drfinder     2      1"
err_has "the program without deadheat"
grep -q "<svg " chart.html || fail "no picture in the page"
err_has "random       2      1"
err_has "pct          2      0    0       1"
err_has "pos          2      1"
run 66 "$deadheat" hunt -n 1 --strategy native --chart chart.svg -- java "$records/hunt"
[ -s chart.svg ] || fail "no picture"

# The controlled scheduler: PCT is told how many steps there are once that is known, without looks at the clock.
run 66 "$deadheat" hunt -n 1 --strategy random --strategy pct --jobs 1 --fresh -- java "$records/hunt" env
grep -q 'engine=schedule,detect=on,strategy=random,seed=1,time_limit=600' .deadheat/runs/*/hunt/random-1/stdout || fail "the scheduler is not asked for"
grep -q 'strategy=pct,seed=1,time_limit=600,expected_steps=321' .deadheat/runs/*/hunt/pct-1/stdout || fail "PCT does not know the steps"

# Depths side by side: each learns for itself, and is set against the other strategies.
run 66 "$deadheat" hunt -n 1 --depth 2..6 --chart depths.svg --sarif races.sarif --fresh -- java "$records/hunt"
for depth in 2 4 6; do
  err_has "drfinder, depth $depth     1      1    0       0"
  [ -d "$(echo .deadheat/runs/*/hunt/relations-depth-$depth)" ] || fail "nothing was learnt at depth $depth"
  grep -q 'bank.Account.deposit	bank.Lock' .deadheat/runs/*/hunt/drfinder-depth-$depth-1/relations || fail "depth $depth was not told what it learnt"
done
err_has "pct                   1      0    0       1"
err_has "new: found by no other strategy"
grep -q 'aria-label="races found, by depth"' depths.svg || fail "no picture by depth"
grep -q '"R3f2a11c0"' races.sarif || fail "the race is not in the SARIF file"
run 2 "$deadheat" hunt --depth 6..2 -- java
err_has "'6..2' is no range"
run 2 "$deadheat" hunt --depth 2..many -- java
err_has "--depth"

# No race, a program that fails, and one that is no JVM.
run 0 "$deadheat" hunt -n 2 -- java "$records/clean.jsonl" exit 7
err_has "2 of 2 runs ended with status 7"
err_has "no races found"
run 3 "$deadheat" hunt -n 2 -- true
err_has "true"
run 0 "$deadheat" hunt -n 1 --exit-code 0 -- java "$records/hunt"
run 2 "$deadheat" hunt --strategy luck -- java
err_has "'luck' is none of"

# Ctrl-C: the runs are stopped, what was found is kept.
rm -f ready
"$deadheat" hunt -n 2 -- java "$records/hunt" wait > "$work/out" 2> "$work/err" &
hunt=$!
while [ ! -e ready ]; do sleep 0.05; done
kill -TERM $hunt
wait $hunt
[ $? -eq 143 ] || fail "the status after SIGTERM is not 143"
err_has "interrupted; what was found until then is kept"
