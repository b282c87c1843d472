# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what a chip's description says of the dispatch."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    chip = json.load(file)
chunk, order = chip["dispatch_chunk"], chip["dispatch_order"]
print(f"turns of {chunk['value']}, {chunk['source']}")
print(*order["value"])
print(order["source"])
