#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the texts of one question as a recording has them, in the form of
`--show-prompt`, whose schema is cut off there: JSON objects have no order.

  sent.py RECORDING.jsonl NUMBER   the question of that number, from 1
"""
import json
import sys

lines = open(sys.argv[1]).read().splitlines()
request = json.loads(lines[int(sys.argv[2]) - 1])["request"]
for part in ("system", "user"):
    print(f"=== {part} ===")
    print("\n".join(request[part]))
