# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tools write, as rows: reports of the pass, reports of the tuner, journals,
tuning databases.

Every row is a flat dataclass or a flat dictionary, so that a list of them goes into a
spreadsheet or a data frame as it is (`write_csv`).
"""
from __future__ import annotations

import contextlib
import csv
import dataclasses
import json
import os
import pathlib
import warnings
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Mapping

__all__ = ["Metrics", "KernelReport", "read_report", "read_lines", "read_journal",
           "read_database", "read_rows", "write_csv", "SchemaError"]

Path = str | os.PathLike[str]


class SchemaError(ValueError):
    """A file is not what it is taken for; the text names the file and its schema."""


@dataclass(frozen=True)
class Level:
    """Counts of one level of the caches; the hit rate is 0 to 1."""
    name: str
    bytes: float | None = None
    hit_rate: float | None = None


@dataclass(frozen=True)
class Metrics:
    """Counts and time of one kernel under one order. Rates are 0 to 1. `levels` has a
    row for each level that was counted, nearest to the compute units first; what is asked
    of a level that the chip does not have, or that nobody counted, is None."""
    dram_read_bytes: float | None = None
    dram_write_bytes: float | None = None
    time_us: float | None = None
    energy_joules: float | None = None
    origin: str = "simulated"
    uncertain: bool = False
    levels: tuple[Level, ...] = ()

    def level(self, name: str) -> Level | None:
        """The row of this name, or None."""
        return next((level for level in self.levels if level.name == name), None)

    def hit_rate(self, name: str) -> float | None:
        """That of the level of this name, if it is known."""
        level = self.level(name)
        return level.hit_rate if level else None

    @property
    def l1_hit_rate(self) -> float | None:
        """As most chips have it; so are the two that follow."""
        return self.hit_rate("l1")

    @property
    def l2_hit_rate(self) -> float | None:
        return self.hit_rate("l2")

    @property
    def llc_hit_rate(self) -> float | None:
        return self.hit_rate("llc")

    @property
    def l2_bytes(self) -> float | None:
        """Asked of the L2."""
        level = self.level("l2")
        return level.bytes if level else None

    @property
    def dram_bytes(self) -> float | None:
        """Read and written together."""
        if self.dram_read_bytes is None or self.dram_write_bytes is None:
            return None
        return self.dram_read_bytes + self.dram_write_bytes

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Metrics":
        """From the JSON of a tool."""
        names = {f.name for f in dataclasses.fields(cls)} - {"uncertain", "levels"}
        # Earlier versions wrote 0 for bytes that nobody had counted on a device.
        if data.get("origin") == "measured" and data.get("line_accesses") == 0:
            data = {name: None if name.endswith("_bytes") and value == 0 else value
                    for name, value in data.items()}
        # Files that were written before levels were a list speak of these three.
        levels = tuple(
            Level(name, data.get(f"{name}_bytes"), data.get(f"{name}_hit_rate"))
            for name in data.get("levels", ("l1", "l2", "llc")))
        return cls(**{name: data[name] for name in names if name in data},
                   levels=tuple(level for level in levels
                                if level.bytes is not None or level.hit_rate is not None),
                   uncertain=bool((data.get("sensitivity") or {}).get("uncertain")))


@dataclass(frozen=True, kw_only=True)
class KernelReport:
    """One kernel of a report of the pass (`swizzle-report/1`)."""
    module: str
    name: str
    chip: str | None
    grid: str
    block: str
    outcome: str  #: "remapped", "kept", "refused", "failed"
    reason_code: str
    reason: str
    counterexample: str | None
    formula: str | None
    params: Mapping[str, int]
    proof: str | None
    assumptions: tuple[str, ...]
    bottleneck: str | None
    scalar_cost: int | None
    vector_cost: int | None
    before: Metrics | None
    after: Metrics | None

    @property
    def speed_up(self) -> float | None:
        """Time before over time after, as simulated."""
        if not (self.before and self.after and self.before.time_us and self.after.time_us):
            return None
        return self.before.time_us / self.after.time_us


def extents(grid: Any) -> str:
    """"64x64x1" of [64, 64, 1]; None becomes "?"."""
    if isinstance(grid, str) or grid is None:
        return grid or "?"
    return "x".join("?" if extent is None else str(extent) for extent in grid)


def parse(text: str | bytes, where: str) -> Any:
    """The value that JSON text stands for; `where` it was found."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"{where} is not JSON: {error}") from error


def load(path: Path, schema: str) -> dict[str, Any]:
    """The JSON object in a file that must carry `schema`."""
    data = parse(pathlib.Path(path).read_bytes(), os.fspath(path))
    found = data.get("schema") if isinstance(data, dict) else None
    if not isinstance(data, dict) or found != schema:
        raise SchemaError(f"{os.fspath(path)} has schema {found!r}, expected {schema!r}")
    return data


@contextlib.contextmanager
def following(path: Path, schema: str) -> Iterator[None]:
    """Within, whatever is missing from the file, or has another type, is a SchemaError."""
    try:
        yield
    except SchemaError:
        raise
    except KeyError as error:
        raise SchemaError(f"{os.fspath(path)} does not follow {schema}: an object has no key "
                          f"{error}") from error
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        raise SchemaError(f"{os.fspath(path)} does not follow {schema}: a value has another "
                          f"type: {error}") from error


def kernel_of(kernel: Mapping[str, Any]) -> KernelReport:
    """From the JSON of a report."""
    proof = kernel.get("proof") or {}
    cost = kernel.get("remap_cost") or {}
    simulated = kernel.get("simulated") or {}
    return KernelReport(
        module=kernel["module"], name=kernel["name"], chip=kernel.get("chip"),
        grid=extents(kernel.get("grid")), block=extents(kernel.get("block")),
        outcome=kernel["outcome"], reason_code=kernel.get("reason_code") or "",
        reason=kernel.get("reason") or "", counterexample=kernel.get("counterexample"),
        formula=kernel.get("formula"), params=kernel.get("params") or {},
        proof=proof.get("kind"), assumptions=tuple(proof.get("assumptions") or ()),
        bottleneck=kernel.get("bottleneck"), scalar_cost=cost.get("scalar"),
        vector_cost=cost.get("vector"),
        before=Metrics.of(simulated["before"]) if simulated.get("before") else None,
        after=Metrics.of(simulated["after"]) if simulated.get("after") else None)


def read_report(path: Path) -> list[KernelReport]:
    """The kernels of a report that `swizzle-opt` wrote."""
    with following(path, "swizzle-report/1"):
        return [kernel_of(kernel) for kernel in load(path, "swizzle-report/1")["kernels"]]


def object_of(line: bytes, where: str) -> dict[str, Any]:
    """The object on one line; `where` it was found."""
    record = parse(line, where)
    if not isinstance(record, dict):
        raise SchemaError(f"{where} is not a JSON object")
    return record


def read_lines(path: Path) -> Iterable[dict[str, Any]]:
    """The objects of a file of one JSON object a line. A last line without its end
    (the writer was killed) is left out; any other bad line raises SchemaError."""
    lines = pathlib.Path(path).read_bytes().split(b"\n")
    lines.pop()  # empty, or a line without its end
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        yield object_of(line, f"{os.fspath(path)}:{number}")


def flatten(data: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested objects as "outer.inner" columns; lists as JSON text."""
    row: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, Mapping):
            row.update(flatten(value, f"{prefix}{name}."))
        else:
            row[prefix + name] = json.dumps(value) if isinstance(value, list) else value
    return row


def read_journal(path: Path) -> list[dict[str, Any]]:
    """The records of a tuner's journal, flat, in the order in which they happened."""
    return [flatten(record) for record in read_lines(path)]


def read_database(path: Path) -> list[dict[str, Any]]:
    """The records of a tuning database, flat. As the tools do, it warns of a line that
    cannot be read, such as a mark of a merge, and uses the others; the last one may lack its
    end."""
    rows = []
    for number, line in enumerate(pathlib.Path(path).read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            rows.append(flatten(object_of(line, f"{os.fspath(path)}:{number}")))
        except SchemaError as error:
            warnings.warn(f"{error}; the other lines are used", stacklevel=2)
    return rows


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows for training that `swizzle-db export` wrote (`swizzle-row/1`), nested as
    they are: `context`, `formula`, `params`, `outcome`, and of journals `said`."""
    rows = []
    for number, row in enumerate(read_lines(path), 1):
        found = row.get("schema")
        if found != "swizzle-row/1":
            raise SchemaError(f"{os.fspath(path)}: row {number} has schema {found!r}, "
                              "expected 'swizzle-row/1'")
        rows.append(row)
    return rows


def write_csv(rows: Iterable[Any], path: Path) -> None:
    """Writes rows (dataclasses or dictionaries) with the union of their columns."""
    flat = [flatten(dataclasses.asdict(row) if dataclasses.is_dataclass(row) and
                    not isinstance(row, type) else row) for row in rows]
    columns = list(dict.fromkeys(name for row in flat for name in row))
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(flat)
