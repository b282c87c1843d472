# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The counters of the last row of each variant of a results.jsonl."""
import json
import sys


def told(count):
    """A number of bytes, if somebody counted it."""
    return "not counted" if count is None else f"{count:.0f} bytes"


rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
for name, metrics in sorted({row["variant"]: row["metrics"] for row in rows}.items()):
    last = metrics.get("llc_bytes")
    behind = "" if last is None else f"LLC {told(last)}; "
    logical = metrics.get("l2_logical_hit_rate")
    asked = "" if logical is None else f" ({100 * logical:.0f} % of what was asked)"
    others = [f"; {key} {metrics[key]:g}"
              for key in ("instructions", "bank_conflicts", "counted_time_us") if key in metrics]
    print(f"{name}: L2 {100 * metrics['l2_hit_rate']:.0f} %{asked}, "
          f"{told(metrics['l2_bytes'])}; {behind}read {told(metrics['dram_read_bytes'])}, "
          f"written {told(metrics['dram_write_bytes'])}" + "".join(others))
