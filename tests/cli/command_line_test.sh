# SPDX-License-Identifier: Apache-2.0
# A wrong command line: status 2, one message with the next step.
. "$(dirname "$0")/lib.sh"

run 0 "$deadheat" --version
out_has "deadheat "
run 0 "$deadheat" --help
out_has "run a program"
run 0 "$deadheat" run --help
out_has "--suppressions FILE"

run 2 "$deadheat"
err_has "no verb given"
run 2 "$deadheat" rnu -- java
err_has "did you mean 'run'?"
run 2 "$deadheat" zzzzzzzz
err_has "unknown verb 'zzzzzzzz' ("
run 2 "$deadheat" run --supressions=x -- java
err_has "unknown option '--supressions'; did you mean '--suppressions'?"
run 2 "$deadheat" run --stats java -jar x.jar
err_has "put '--' in front of the command: deadheat run -- java"
run 2 "$deadheat" run
err_has "no command given"
run 2 "$deadheat" run --exit-code many -- java
err_has "'many' is not a whole number from 0 to 255"
run 2 "$deadheat" run --include 'a b' -- java
err_has "cannot be part of a class pattern"
run 2 "$deadheat" run --json
err_has "--json"
run 2 "$deadheat" report one
err_has "expected one run number, not 'one'"
run 2 "$deadheat" report -- java
err_has "runs no command"
