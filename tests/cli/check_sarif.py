# SPDX-License-Identifier: Apache-2.0
"""check_sarif.py FILE RACE…: the file is valid SARIF and holds exactly these races (RACE:suppressed for such)."""
import json
import pathlib
import sys

import jsonschema

document = json.load(open(sys.argv[1]))
results = document["runs"][0]["results"]
found = [r["partialFingerprints"]["deadheatRaceId/v1"] + (":suppressed" if r.get("suppressions") else "") for r in results]
if found != sys.argv[2:]:
    sys.exit(f"races {found}, not {sys.argv[2:]}")

schema = json.load(open(pathlib.Path(__file__).parent / "schema" / "sarif-2.1.0-rtm.5.json"))
jsonschema.Draft4Validator(schema).validate(document)
for result in results:
    if not result["locations"] or not result["stacks"]:
        sys.exit("a race without a place")
