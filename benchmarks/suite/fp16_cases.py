# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products in fp16: their sizes, their tiles, and how they are compiled, planned and launched.

Nothing here needs a GPU or PyTorch: `fp16.py` measures what this makes, and a test compiles
it for a device that is not there. Kernels are found in `benchmarks/kernels/triton`, which has
to be among the folders of sys.path.

The kernels read through plain pointers. Triton's tensor descriptors become inline assembly,
of which nobody can tell what it reads: swizzle-llvm refuses kernels that use them.
"""
from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

#: Rows of tiles in a group of Triton's own order.
GROUP = 8
#: Kernels by the order of their programs.
KERNELS = {"own": "product_by_rows", "grouped": "product_by_groups"}

LARGEST, SMALL = (128, 256, 64), (128, 128, 64)


@dataclass(frozen=True)
class Build:
    """What a tile is compiled with."""
    warps: int
    stages: int

    def __str__(self) -> str:
        return f"{self.warps} warps, {self.stages} stages"


#: Of each tile: what is timed to choose one of.
BUILDS = {LARGEST: [Build(8, 3), Build(8, 4)],
          SMALL: [Build(4, 3), Build(4, 4), Build(8, 3), Build(8, 4)]}


@dataclass(frozen=True)
class Case:
    """`batch` products of M x K and K x N, in tiles of BM x BN that go along K by BK."""
    m: int
    n: int
    k: int
    batch: int = 1
    tile: tuple[int, int, int] = LARGEST

    @property
    def size(self) -> str:
        extents = [self.m, self.n, self.k]
        return "x".join(map(str, extents if self.batch == 1 else [self.batch, *extents]))

    @property
    def tile_name(self) -> str:
        return "x".join(map(str, self.tile))

    @property
    def name(self) -> str:
        return f"{self.size} in tiles of {self.tile_name}"

    @property
    def flops(self) -> int:
        return 2 * self.batch * self.m * self.n * self.k

    def shapes(self) -> list[tuple[int, ...]]:
        """Of A, B and C."""
        pairs = [(self.m, self.k), (self.k, self.n), (self.m, self.n)]
        return [pair if self.batch == 1 else (self.batch, *pair) for pair in pairs]

    def grid(self, order: str) -> tuple[int, int, int]:
        rows, columns = self.m // self.tile[0], self.n // self.tile[1]
        if order == "grouped":
            return rows * columns, 1, self.batch
        return columns, rows, self.batch

    def scalars(self, order: str) -> list[int]:
        """What is passed behind the three tensors, in the kernel's order."""
        strides = [self.k, self.n, self.n]
        apart = [0, 0, 0] if self.batch == 1 else \
            [self.m * self.k, self.k * self.n, self.m * self.n]
        return [*([self.m, self.n] if order == "grouped" else []), self.k, *strides, *apart]

    def constants(self, order: str) -> dict[str, int]:
        named = dict(zip(("BM", "BN", "BK"), self.tile))
        return {**named, "GROUP": GROUP} if order == "grouped" else named

    def arguments(self, order: str, tensors: Sequence[Any]) -> list[Any]:
        """All of a launch, constants included, as a compiled kernel takes them."""
        return [*tensors, *self.scalars(order), *self.constants(order).values()]


CASES = [Case(8192, 8192, 8192), Case(8192, 8192, 4096), Case(4096, 4096, 4096),
         Case(4096, 4096, 4096, tile=SMALL), Case(16384, 16384, 4096),
         Case(2048, 2048, 4096, batch=16), Case(2048, 16384, 8192)]


def compiled(case: Case, order: str, build: Build, tensor: Any) -> Any:
    """A CompiledKernel; the same one for all sizes of a tile. `tensor` is any in fp16."""
    function = getattr(importlib.import_module("kernels.dense"), KERNELS[order])
    return function.warmup(tensor, tensor, tensor, *case.scalars(order), **case.constants(order),
                           num_warps=build.warps, num_stages=build.stages, grid=case.grid(order))


def plan(case: Case, kernel: Any, tensors: Sequence[Any], planner: Any) -> Any:
    """What swizzle.triton decides at the first launch of `kernel`, in its own order, with two
    matrices and their product."""
    return planner.plan(kernel, case.grid("own"), 0, case.arguments("own", tensors))
