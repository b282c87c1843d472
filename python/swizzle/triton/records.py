# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts what was measured into the tuning database, where `planning="database"`, the
plugin for clang and `swizzle-db` find it (docs/database.md).
"""
from __future__ import annotations

import json
import pathlib
import tempfile
from typing import Any, Mapping

from ..tools import run_tool
from .settings import Settings

__all__ = ["make_record", "write_record"]


def make_record(entry: Mapping[str, Any], version: str, device: str, remapped: bool,
                before_us: float, after_us: float) -> dict[str, Any]:
    """One record; `entry` is the kernel's part of a report."""
    # Only of a chip that is not built in: a name does not tell such chips apart.
    chip_hash = {"chip_hash": entry["chip_hash"]} if entry.get("chip_hash") else {}
    return {
        "kernel_hash": entry["kernel_hash"], "grid": grid_key(entry["grid"]),
        "chip": entry["chip"], **chip_hash, "tool_version": version, "kernel": entry["name"],
        "signature": entry["signature"], "formula": entry["formula"] if remapped else None,
        "params": entry["params"] if remapped else {}, "agent": "swizzle.triton",
        "objective": "time", "origin": "measured", "device": device,
        "baseline": {"time_us": before_us}, "best": {"time_us": after_us},
        "schema": "swizzle-database/1"}


def grid_key(extents: list[int | None]) -> str:
    """As the database writes it: [64, 64, 1] is "64x64"."""
    texts = ["?" if extent is None else str(extent) for extent in extents]
    while len(texts) > 1 and texts[-1] == "1":
        texts.pop()
    return "x".join(texts)


def write_record(settings: Settings, entry: Mapping[str, Any], remapped: bool,
                 before_us: float, after_us: float) -> None:
    """Adds a record, under the database's lock. Raises what goes wrong."""
    version = run_tool("swizzle-llvm", ["--version"]).stdout.split()[1]
    record = make_record(entry, version, settings.timer.device(), remapped, before_us, after_us)
    path = settings.database_path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    with tempfile.TemporaryDirectory() as folder:
        one = pathlib.Path(folder, "one.db")
        one.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")
        run_tool("swizzle-db", ["merge", str(path), str(one)])
