# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each kernel with what it is compiled for and launched on.

A signature is a row of words: "a:*fp16" is an argument and its type, "N:i32=8192" one with
what is passed, "BM=128" a constant.
"""
from __future__ import annotations

import re
from dataclasses import dataclass

TILES = "BM=128 BN=128 BK=32"
STRIDES = "sa:i32=8192 sb:i32=8192 sc:i32=8192"
SMALL = "sa:i32=4096 sb:i32=4096 sc:i32=4096"


@dataclass(frozen=True)
class Case:
    file: str  #: of kernels/
    kernel: str
    signature: str
    grid: tuple[int, int, int]
    warps: int = 4
    #: Its programs depend on each other: it must be refused.
    waits: bool = False
    #: Addresses depend on data, by what the kernel is for.
    indirect: bool = False

    def passed(self) -> list[int | None]:
        """What is passed, constants included; None for what is no size."""
        return [int(word.split("=")[1]) if "=" in word else None
                for word in self.signature.split()]

    def arguments(self) -> dict[str, str]:
        """By name: types, and "constexpr"."""
        words = self.signature.split()
        return {re.split("[:=]", word)[0]:
                word.split(":")[1].split("=")[0] if ":" in word else "constexpr"
                for word in words}

    def constants(self) -> dict[str, int]:
        return {name: int(value) for name, value in
                (word.split("=") for word in self.signature.split() if ":" not in word)}


CASES = [
    Case("products", "product", f"a:*fp16 b:*fp16 c:*fp16 K:i32=8192 {STRIDES} {TILES}",
         (64, 64, 1)),
    Case("products", "product_one_axis",
         f"a:*fp16 b:*fp16 c:*fp16 N:i32=8192 K:i32=8192 {STRIDES} {TILES}", (4096, 1, 1)),
    Case("products", "product_grouped",
         "a:*fp16 b:*fp16 c:*fp16 M:i32=8192 N:i32=8192 K:i32=8192 "
         f"{STRIDES} {TILES} GROUP=8", (4096, 1, 1)),
    Case("products", "product_masked",
         "a:*fp16 b:*fp16 c:*fp16 M:i32=8192 N:i32=8192 K:i32=8192 "
         f"{STRIDES} {TILES}", (64, 64, 1)),
    Case("products", "product_persistent",
         "a:*fp16 b:*fp16 c:*fp16 M:i32=8192 N:i32=8192 K:i32=8192 "
         f"{STRIDES} {TILES} PROGRAMS=304",
         (304, 1, 1)),
    Case("products", "product_split",
         f"a:*fp16 b:*fp16 c:*fp32 K:i32=4096 {SMALL} {TILES} PARTS=4", (32, 32, 4)),
    Case("products", "product_batched",
         "a:*fp16 b:*fp16 c:*fp16 K:i32=2048 sa:i32=2048 sb:i32=2048 sc:i32=2048 "
         f"ba:i32=4194304 bb:i32=4194304 bc:i32=4194304 {TILES}", (16, 16, 16)),
    Case("products", "product_int8",
         f"a:*i8 b:*i8 c:*fp16 scale_a:*fp32 scale_b:*fp32 K:i32=8192 {STRIDES} "
         "BM=128 BN=128 BK=64", (64, 64, 1)),
    Case("products", "product_packed",
         f"a:*fp16 b:*i8 c:*fp16 scales:*fp16 K:i32=8192 {STRIDES} {TILES}", (32, 64, 1)),
    Case("attention", "attention",
         "q:*fp16 k:*fp16 v:*fp16 o:*fp16 rows:i32=4096 heads_per_key:i32=8 scale:fp32 "
         "D=64 BM=128 BN=64 CAUSAL=0", (32, 64, 1)),
    Case("attention", "attention",
         "q:*fp16 k:*fp16 v:*fp16 o:*fp16 rows:i32=4096 heads_per_key:i32=8 scale:fp32 "
         "D=64 BM=128 BN=64 CAUSAL=1", (32, 64, 1)),
    Case("attention", "attention_backward",
         "q:*fp16 k:*fp16 v:*fp16 do:*fp16 dk:*fp16 dv:*fp16 logs:*fp32 deltas:*fp32 "
         "rows:i32=2048 scale:fp32 D=64 BM=64 BN=64", (32, 64, 1)),
    Case("attention", "attention_decode",
         "q:*fp16 k:*fp16 v:*fp16 partial:*fp32 sums:*fp32 rows:i32=32768 heads_per_key:i32=8 "
         "scale:fp32 D=128 BN=64 PARTS=16", (64, 16, 1)),
    Case("attention", "attention_paged",
         "q:*fp16 k:*fp16 v:*fp16 o:*fp16 pages:*i32 rows:*i32 most_pages:i32=256 scale:fp32 "
         "heads:i32=32 D=128 PAGE=16", (64, 32, 1), indirect=True),
    Case("rows", "layer_norm",
         "x:*fp16 weight:*fp16 bias:*fp16 out:*fp16 mean_out:*fp32 scale_out:*fp32 N:i32=4096 "
         "BLOCK=4096", (8192, 1, 1)),
    Case("rows", "layer_norm_backward",
         "dy:*fp16 x:*fp16 weight:*fp16 mean:*fp32 scale:*fp32 dx:*fp16 N:i32=4096 BLOCK=4096",
         (8192, 1, 1)),
    Case("rows", "layer_norm_weights",
         "dy:*fp16 x:*fp16 mean:*fp32 scale:*fp32 dw:*fp32 db:*fp32 M:i32=8192 N:i32=4096 "
         "BM=32 BN=128",
         (32, 1, 1)),
    Case("rows", "rms_norm", "x:*fp16 weight:*fp16 out:*fp16 N:i32=4096 BLOCK=4096", (8192, 1, 1)),
    Case("rows", "softmax",
         "x:*fp32 out:*fp32 rows:i32=8192 stride:i32=4096 N:i32=4096 BLOCK=4096 PROGRAMS=1024",
         (1024, 1, 1)),
    Case("rows", "cross_entropy",
         "scores:*fp16 labels:*i64 losses:*fp32 grads:*fp16 N:i32=32768 BLOCK=4096", (8192, 1, 1),
         indirect=True),
    Case("rows", "rope", "x:*fp16 cosines:*fp32 sines:*fp32 out:*fp16 heads:i32=32 D=128",
         (4096, 32, 1), warps=1),
    Case("rows", "sort_rows", "x:*fp32 out:*fp32 N=1024", (4096, 1, 1)),
    Case("rows", "reduce_columns", "x:*fp32 out:*fp32 N:i32=4096 BM=64 BN=128", (128, 32, 1)),
    Case("rows", "histogram", "x:*i32 counts:*i32 BLOCK=4096 BINS=256", (4096, 1, 1)),
    Case("pointwise", "add", "x:*fp32 y:*fp32 out:*fp32 n:i32=16777216 BLOCK=1024", (16384, 1, 1)),
    Case("pointwise", "bias_gelu", "x:*fp16 bias:*fp16 out:*fp16 N:i32=4096 BM=32 BN=128",
         (256, 32, 1)),
    Case("pointwise", "transpose", "x:*fp32 out:*fp32 M:i32=4096 N:i32=4096 BM=32 BN=32",
         (128, 128, 1)),
    Case("pointwise", "stencil", "x:*fp32 out:*fp32 N:i32=4112 BM=8 BN=256", (16, 512, 1)),
    Case("pointwise", "embedding", "tokens:*i64 table:*fp16 out:*fp16 N:i32=4096 BLOCK=1024",
         (8192, 4, 1), indirect=True),
    Case("pointwise", "dropout", "x:*fp32 out:*fp32 n:i32=16777216 p:fp32 seed:i32=7 BLOCK=1024",
         (16384, 1, 1)),
    Case("waiting", "tickets", "next:*i32 x:*fp32 out:*fp32 BLOCK=1024", (4096, 1, 1),
         waits=True),
    Case("waiting", "append", "x:*fp32 out:*fp32 count:*i32 BLOCK=1024", (4096, 1, 1),
         waits=True),
    Case("waiting", "split_semaphore",
         f"a:*fp16 b:*fp16 c:*fp16 parts:*fp32 arrived:*i32 K:i32=4096 {SMALL} {TILES} PARTS=4",
         (32, 32, 4), waits=True),
    Case("waiting", "stream_product",
         f"a:*fp16 b:*fp16 c:*fp16 locks:*i32 parts:*fp32 N:i32=4096 K:i32=4096 {SMALL} {TILES}",
         (2048, 1, 1), waits=True),
    Case("waiting", "locked_sums", "dy:*fp32 locks:*i32 dw:*fp32 N:i32=4096 GROUP=64 BLOCK=4096",
         (8192, 1, 1), waits=True),
    Case("waiting", "flags", "ready:*i32 x:*fp32 out:*fp32 BLOCK=1024", (4096, 1, 1),
         waits=True),
    Case("waiting", "prefix_sums", "x:*fp32 out:*fp32 sums:*fp32 BLOCK=1024", (4096, 1, 1),
         waits=True),
    Case("waiting", "barrier", "x:*fp32 out:*fp32 arrived:*i32 BLOCK=1024", (128, 1, 1),
         waits=True),
    Case("waiting", "smooth_in_place", "x:*fp32 n:i32=4194304 BLOCK=1024", (4096, 1, 1),
         waits=True),
]
