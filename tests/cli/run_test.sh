# SPDX-License-Identifier: Apache-2.0
# deadheat run: the verdict, the exit status, and what could not be watched.
. "$(dirname "$0")/lib.sh"
records=$here/records

run 0 "$deadheat" run -- java "$records/clean.jsonl"
err_has "deadheat: no races found in 1 JVM, 1,234 classes watched"
[ "$(cat .deadheat/.gitignore)" = "*" ] || fail "the state folder is not kept out of git"

run 5 "$deadheat" run -- java "$records/clean.jsonl" exit 5
run 66 "$deadheat" run -- java "$records/races.jsonl" exit 5
err_has "WARNING: deadheat: data race R3f2a11 on field bank.Account.balance"
err_has 'Write by thread "teller-1" (id 21), holding bank.Account@1f:'
err_has 'Previous read by thread "teller-2" (id 22), monitors held not known:'
err_has "frames outside of this are not known"
err_has "#0 bank.Account.deposit (Account.java:3)"
err_has "Seen 42 times"
err_has "First frame outside the JDK: bank.Main.log (Main.java:31)"
err_has "SUMMARY: deadheat: data race on element 3 of a java.lang.Object[] in java.util.ArrayList.add (ArrayList.java:455), called from bank.Main.log (Main.java:31)"
err_has "deadheat: 2 races found in 1 JVM, 3 classes watched"
run 5 "$deadheat" run --exit-code 0 -- java "$records/races.jsonl" exit 5
run 99 "$deadheat" run --exit-code 99 -- java "$records/races.jsonl"

# The source line is shown when the file is below the working directory.
mkdir -p src/bank
printf 'class Account {\n  int balance;\n  void deposit() { balance += 1; }\n}\n' > src/bank/Account.java
run 66 "$deadheat" run -- java "$records/races.jsonl"
err_has "| void deposit() { balance += 1; }"

# Gaps are never silent.
run 0 "$deadheat" run -- java "$records/gaps.jsonl"
err_has "no races found in 1 JVM, 7 classes watched (2 methods skipped, 1 method watched for synchronisation only, 1 class not watched: see "
err_has "the class file hook was switched off"
err_has "1 record of JVM"

# A killed JVM leaves what it found.
run 66 "$deadheat" run -- java "$records/torn.jsonl" kill KILL
err_has "was killed or crashed"
err_has "breaks off"
err_has "R3f2a11"
run 137 "$deadheat" run --exit-code 0 -- java "$records/torn.jsonl" kill KILL

run 0 "$deadheat" run --stats -- java "$records/clean.jsonl"
err_has "1,000,000"

run 66 "$deadheat" run --log-path log.txt -- java "$records/races.jsonl"
err_lacks "WARNING: deadheat"
err_has "2 races found"
grep -q "WARNING: deadheat: data race R77aa02" log.txt || fail "no report in the log file"

run 3 "$deadheat" run -- java "$records/unwatched.jsonl"
err_has "nothing is watched in this JVM"
err_has "the program was not watched, so nothing can be said about races"
run 3 "$deadheat" run -- java "$records/gave_up.jsonl"
err_has "the program was not watched"
