# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clocks for launches. A launch is timed between two marks on its stream, and read when
it is over: nothing waits until a decision is due.
"""
from __future__ import annotations

from typing import Any, Protocol

__all__ = ["Timer", "TorchTimer"]


class Timer(Protocol):
    """What measuring needs of a device."""

    def mark(self, stream: int) -> Any:
        """A point of time, once the stream has come this far."""

    def milliseconds(self, start: Any, end: Any) -> float:
        """From one mark to another; waits until both were reached."""

    def is_capturing(self) -> bool:
        """True while launches are recorded into a graph: they are not timed then."""

    def device(self) -> str:
        """What is measured on, for the database."""


class TorchTimer:
    """PyTorch's events, for CUDA and HIP alike. PyTorch is imported when the first launch
    is timed."""

    def mark(self, stream: int) -> Any:
        import torch
        event = torch.cuda.Event(enable_timing=True)
        event.record(torch.cuda.ExternalStream(stream) if stream
                     else torch.cuda.default_stream())
        return event

    def milliseconds(self, start: Any, end: Any) -> float:
        end.synchronize()
        return float(start.elapsed_time(end))

    def is_capturing(self) -> bool:
        try:
            import torch
        except ImportError:
            return False
        return bool(torch.cuda.is_available() and torch.cuda.is_current_stream_capturing())

    def device(self) -> str:
        import torch
        return str(torch.cuda.get_device_name())
