# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a results.jsonl says of the device's state: clocks, temperature, energy."""
import json
import sys

for line in open(sys.argv[1], encoding="utf-8"):
    row = json.loads(line)
    how, energy = row["measurement"], row["metrics"].get("energy_joules")
    low, high = how.get("clock_low_mhz"), how.get("clock_high_mhz")
    clocks = "no clocks" if low is None else "clocks fell" if low < high else "clocks stood"
    joules = ("no energy" if energy is None
              else "energy of less than 1 J a launch" if 0 < energy < 1 else f"{energy} J")
    print(f"{row['variant']}: {clocks}, {how.get('temperature') or 'no'} degrees, {joules}")
