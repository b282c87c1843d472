# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""The time of one launch with cleared caches, of what PyTorch launches or stands beside."""
from __future__ import annotations

import torch


def time_us(run, flush: torch.Tensor) -> float:
    """`flush` is written before, and larger than the caches."""
    flush.zero_()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    run()
    end.record()
    end.synchronize()
    return 1000 * begin.elapsed_time(end)
