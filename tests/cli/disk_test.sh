# SPDX-License-Identifier: Apache-2.0
# Places that cannot be written.
. "$(dirname "$0")/lib.sh"
records=$here/records

: > file
run 3 "$deadheat" run --state file/state -- java "$records/clean.jsonl"
err_has "choose another place with --state DIR"
run 3 "$deadheat" run --state /proc/deadheat -- java "$records/clean.jsonl"
err_has "cannot make the folder /proc/deadheat"
run 3 "$deadheat" run --json no/such/folder/x.json -- java "$records/clean.jsonl" exit 1
err_has "cannot write no/such/folder/x.json: No such file or directory"

mkdir -p broken/runs
echo "this is no database, whatever its name says, and SQLite notices" > broken/deadheat.db
run 3 "$deadheat" run --state broken -- java "$records/clean.jsonl"
err_has "cannot use the database"

# A full disk: found races are reported all the same and decide the status; otherwise the failure does.
run 3 "$deadheat" run --json /dev/full -- java "$records/clean.jsonl"
err_has "cannot write /dev/full: No space left on device"
run 66 "$deadheat" run --sarif /dev/full -- java "$records/races.jsonl"
err_has "cannot write /dev/full: No space left on device"
err_has "2 races found"
