# SPDX-License-Identifier: Apache-2.0
"""make_clip.py FILE HEADER: a clip without a step, its header that of a program which printed nothing and HEADER's members (JSON)."""
import json
import struct
import sys


def hashed(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def checked(data):
    return data + struct.pack(">Q", hashed(data))


header = {"race": "R1", "headline": "a race", "sites": ["a/B.c()V@1", "a/B.d()V@2"], "strategy": "race", "seed": 1, "order": "coin",
          "clock": 1, "jvm": "VM 17", "outcome": "exit status 0, no harm seen", "exit_status": 0, "output_hash": hashed(b"")}
header.update(json.loads(sys.argv[2]))
text = json.dumps(header).encode()
decisions = checked(b"DHDL\0\1\1" + bytes(6))
sites = b""
blocks = b"".join(struct.pack(">I", len(block)) + block for block in (text, decisions, sites))
with open(sys.argv[1], "wb") as file:
    file.write(checked(b"DHCLIP\0\1" + blocks))
