# SPDX-License-Identifier: Apache-2.0
#
# demo.sh BUILD_DIR: `make demo` with the real agent shows all three races of the example, with their source lines, and makes
# one of them happen, twice.
set -u
cd "$(dirname "$0")/../.."
output=$(sh examples/demo.sh "$1" 2>&1) || { echo "$output"; exit 1; }
for wanted in "deposited: 2000 of 2000" "field bank.Account.fees" "static field bank.Bank.served" \
  "First frame outside the JDK: bank.Bank.serve" "| fees += 1;" "| journal.add(" \
  "Both threads stood at the access" "replayed step for step"; do
  case $output in
    *"$wanted"*) ;;
    *) echo "$output"; echo "FAILED: the output lacks: $wanted"; exit 1 ;;
  esac
done
