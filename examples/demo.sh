#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh BUILD_DIR: compiles the bank example and runs it under deadheat, as a user would; then makes one of the races happen
# and plays it again.
set -eu
cd "$(dirname "$0")/.."
build=$1
classes=$build/demo/classes
mkdir -p "$classes"
javac -g -d "$classes" examples/bank/*.java

echo "\$ deadheat run -- java -cp $classes bank.Bank"
status=0
"$build/bin/deadheat" run --state "$build/demo/state" --source-path examples -- java -cp "$classes" bank.Bank || status=$?

# 66 is the exit status for races found.
if [ "$status" -ne 66 ]; then
  echo "demo: expected races (exit status 66), got $status" >&2
  exit 1
fi
echo "demo: exit status 66: deadheat found the races this example was written to have"

deadheat=$build/bin/deadheat
state=$build/demo/state
race=$("$deadheat" report --state "$state" | sed -n 's/^\(R[0-9a-f]*\)  first seen.*field bank.Account.fees .*/\1/p' | head -n 1)
echo
echo "\$ deadheat confirm $race -- java -cp $classes bank.Bank"
status=0
"$deadheat" confirm --state "$state" --source-path examples "$race" -- java -cp "$classes" bank.Bank || status=$?
if [ "$status" -ne 66 ]; then
  echo "demo: expected a confirmed race (exit status 66), got $status" >&2
  exit 1
fi

echo
echo "\$ deadheat replay $state/clips/$race.clip"
"$deadheat" replay --state "$state" "$state/clips/$race.clip"
