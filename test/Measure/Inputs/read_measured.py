# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says in two lines what a tuning report holds about measured orders."""
import json
import sys

(kernel,) = json.load(open(sys.argv[1], encoding="utf-8"))["kernels"]
measured, attempts = kernel["measured"], kernel["tuning"]["attempts"]
assert measured["attempt"] == kernel["tuning"]["best"]["attempt"]
marked = [attempt["number"] for attempt in attempts if attempt["best"]]
assert marked == [measured["attempt"]], marked
print(f"{kernel['outcome']}: attempt {measured['attempt']} is best, {len(marked)} of "
      f"{len(attempts)} attempts is marked")
print(", ".join(f"{row['variant']} {row['metrics']['origin']} {row['metrics']['time_us']:.0f} us"
                for row in measured["rows"]))
