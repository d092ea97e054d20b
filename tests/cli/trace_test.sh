# SPDX-License-Identifier: Apache-2.0
# deadheat trace: what each verb prints for good and for bad traces, and its status.
. "$(dirname "$0")/lib.sh"

printf 'M|fork(T)|1\nM|w(x)|2\nT|acq(l)|3\nT|vw(flag)|4\nT|w(x)|Bank.java:5\nT|rel(l)|6\nM|join(T)|7\n' > own
printf 'A|r(x)|1\nA|reads(x)|2\nA|w(x)\n' > unreadable
printf 'A|rel(l)|1\nA|w(x)|2\nB|fork(A)|3\n' > rules
: > empty

run 0 "$deadheat" trace info own
out_has "own: text, "
out_has "7 events"
out_has "2 threads, 1 variables, 2 locks"
run 0 "$deadheat" trace info --json own empty
out_has '"operations":{"w":2,"acq":1,"rel":1,"fork":1,"join":1,"vw":1}'
out_has '"file":"empty","format":"text","bytes":0,"events":0'
run 3 "$deadheat" trace info missing
err_has "cannot open missing: No such file"

run 0 "$deadheat" trace cat own
cmp -s own "$work/out" || fail "cat changed a trace of our own dialect"
run 0 sh -c "'$deadheat' trace cat --numbers - < own"
out_has "       5 T|w(x)|Bank.java:5"
run 3 "$deadheat" trace cat unreadable
err_has "unreadable:2:3: 'reads' is no operation; expected one of r, w, acq"
err_has "unreadable:3:7: expected '|' and a location behind the operation, but the line ends"
err_has "unreadable cannot be read as a trace: 2 problems"

run 0 "$deadheat" trace check own empty
out_has "own: 7 events, all as they should be"
run 1 "$deadheat" trace check unreadable rules
out_has "unreadable:2:3: "
out_has "rules:1: rel(l) by A, but A does not hold l"
out_has "rules:3: fork(A) by B, but A has run since (event 2)"
run 1 "$deadheat" trace check --most 1 rules
out_has "and 1 more"
run 1 "$deadheat" trace check --json rules
out_has '"problem_count":2,"problems":[{"line":1,"column":0,"message":"rel(l) by A, but A does not hold l"}'

run 0 "$deadheat" trace convert --to std --locations places -o public own
err_has "1 volatile accesses: each became a critical section of a lock volatile:NAME"
err_has "places lists them"
grep -q '^T|acq(volatile:flag)|4$' public || fail "the volatile write was not lowered"
grep -q "^5	Bank.java:5$" places || fail "the locations are not listed"
run 0 "$deadheat" trace check public
run 3 "$deadheat" trace convert --to std --strict own
err_has "1 volatile accesses"
run 3 "$deadheat" trace convert --to std rules
err_has "rules breaks the rules of a trace at 2 events"
run 2 "$deadheat" trace convert --to pdf own
err_has "'pdf' is none of"
run 3 "$deadheat" trace convert -o missing/folder own
err_has "cannot write missing/folder"

run 0 "$deadheat" trace convert --to binary -o packed own
run 0 "$deadheat" trace cat packed
cmp -s own "$work/out" || fail "not the same after a way through the binary format"
run 0 "$deadheat" trace info packed
out_has "packed: binary, "
head -c 90 packed > torn
run 0 "$deadheat" trace cat torn
err_has "torn: the recording did not end as it should: the file ends in the middle of chunk 1; 0 events before it were read"
run 0 "$deadheat" trace check torn
out_has "torn: the recording did not end as it should"

run 0 "$deadheat" trace slice --variable x --events 4- own
err_has "deadheat: 5 of 7 events kept, 1 of them from before the range"
printf 'T|acq(l)|3\nT|vw(flag)|4\nT|w(x)|Bank.java:5\nT|rel(l)|6\nM|join(T)|7\n' > wanted
cmp -s wanted "$work/out" || { fail "not the slice that was wanted"; cat "$work/out"; }
run 3 "$deadheat" trace slice --thread X own
err_has "the trace has no thread 'X'"

run 0 "$deadheat" trace --help
out_has "trace slice"
run 2 "$deadheat" trace
err_has "no verb given behind 'trace'"
run 2 "$deadheat" trace info
err_has "no trace given"
