# SPDX-License-Identifier: Apache-2.0
"""check_sarif.py FILE ID…: the file is valid SARIF and holds exactly these races or predictions (ID:suppressed for such)."""
import json
import pathlib
import sys

import jsonschema

document = json.load(open(sys.argv[1]))
results = document["runs"][0]["results"]


def id_of(result):
    prints = result["partialFingerprints"]
    return prints.get("deadheatRaceId/v1") or prints["deadheatPredictionId/v1"]


found = [id_of(r) + (":suppressed" if r.get("suppressions") else "") for r in results]
if found != sys.argv[2:]:
    sys.exit(f"races {found}, not {sys.argv[2:]}")

schema = json.load(open(pathlib.Path(__file__).parent / "schema" / "sarif-2.1.0-rtm.5.json"))
jsonschema.Draft4Validator(schema).validate(document)
for result in results:
    is_race = "deadheatRaceId/v1" in result["partialFingerprints"]
    if not result["locations"] or (is_race and not result["stacks"]):
        sys.exit("a race without a place")
