# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each kernel with what it is compiled for and launched on.

A signature is a row of words: "a:*fp16" is an argument and its type, "BM=128" a constant.
"""
from __future__ import annotations

from dataclasses import dataclass

TILES = "BM=128 BN=128 BK=32"
STRIDES = "sa:i32 sb:i32 sc:i32"


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

    def arguments(self) -> dict[str, str]:
        """By name: types, and "constexpr"."""
        words = self.signature.split()
        return {word.split(":")[0] if ":" in word else word.split("=")[0]:
                word.split(":")[1] if ":" in word else "constexpr" for word in words}

    def constants(self) -> dict[str, int]:
        return {name: int(value) for name, value in
                (word.split("=") for word in self.signature.split() if "=" in word)}


CASES = [
    Case("products", "product", f"a:*fp16 b:*fp16 c:*fp16 K:i32 {STRIDES} {TILES}", (64, 64, 1)),
    Case("products", "product_one_axis",
         f"a:*fp16 b:*fp16 c:*fp16 N:i32 K:i32 {STRIDES} {TILES}", (4096, 1, 1)),
    Case("products", "product_grouped",
         f"a:*fp16 b:*fp16 c:*fp16 M:i32 N:i32 K:i32 {STRIDES} {TILES} GROUP=8", (4096, 1, 1)),
    Case("products", "product_masked",
         f"a:*fp16 b:*fp16 c:*fp16 M:i32 N:i32 K:i32 {STRIDES} {TILES}", (64, 64, 1)),
    Case("products", "product_persistent",
         f"a:*fp16 b:*fp16 c:*fp16 M:i32 N:i32 K:i32 {STRIDES} {TILES} PROGRAMS=304",
         (304, 1, 1)),
    Case("products", "product_split",
         f"a:*fp16 b:*fp16 c:*fp32 K:i32 {STRIDES} {TILES} PARTS=4", (32, 32, 4)),
    Case("products", "product_batched",
         f"a:*fp16 b:*fp16 c:*fp16 K:i32 {STRIDES} ba:i32 bb:i32 bc:i32 {TILES}", (16, 16, 16)),
    Case("products", "product_int8",
         f"a:*i8 b:*i8 c:*fp16 scale_a:*fp32 scale_b:*fp32 K:i32 {STRIDES} "
         "BM=128 BN=128 BK=64", (64, 64, 1)),
    Case("products", "product_packed",
         f"a:*fp16 b:*i8 c:*fp16 scales:*fp16 K:i32 {STRIDES} {TILES}", (32, 64, 1)),
    Case("attention", "attention",
         "q:*fp16 k:*fp16 v:*fp16 o:*fp16 rows:i32 heads_per_key:i32 scale:fp32 "
         "D=64 BM=128 BN=64 CAUSAL=0", (32, 64, 1)),
    Case("attention", "attention",
         "q:*fp16 k:*fp16 v:*fp16 o:*fp16 rows:i32 heads_per_key:i32 scale:fp32 "
         "D=64 BM=128 BN=64 CAUSAL=1", (32, 64, 1)),
    Case("attention", "attention_backward",
         "q:*fp16 k:*fp16 v:*fp16 do:*fp16 dk:*fp16 dv:*fp16 logs:*fp32 deltas:*fp32 "
         "rows:i32 scale:fp32 D=64 BM=64 BN=64", (32, 64, 1)),
    Case("attention", "attention_decode",
         "q:*fp16 k:*fp16 v:*fp16 partial:*fp32 sums:*fp32 rows:i32 heads_per_key:i32 "
         "scale:fp32 D=128 BN=64 PARTS=16", (64, 16, 1)),
    Case("attention", "attention_paged",
         "q:*fp16 k:*fp16 v:*fp16 o:*fp16 pages:*i32 rows:*i32 most_pages:i32 scale:fp32 "
         "heads:i32 D=128 PAGE=16", (64, 32, 1), indirect=True),
    Case("rows", "layer_norm",
         "x:*fp16 weight:*fp16 bias:*fp16 out:*fp16 mean_out:*fp32 scale_out:*fp32 N:i32 "
         "BLOCK=4096", (8192, 1, 1)),
    Case("rows", "layer_norm_backward",
         "dy:*fp16 x:*fp16 weight:*fp16 mean:*fp32 scale:*fp32 dx:*fp16 N:i32 BLOCK=4096",
         (8192, 1, 1)),
    Case("rows", "layer_norm_weights",
         "dy:*fp16 x:*fp16 mean:*fp32 scale:*fp32 dw:*fp32 db:*fp32 M:i32 N:i32 BM=32 BN=128",
         (32, 1, 1)),
    Case("rows", "rms_norm", "x:*fp16 weight:*fp16 out:*fp16 N:i32 BLOCK=4096", (8192, 1, 1)),
    Case("rows", "softmax",
         "x:*fp32 out:*fp32 rows:i32 stride:i32 N:i32 BLOCK=4096 PROGRAMS=1024", (1024, 1, 1)),
    Case("rows", "cross_entropy",
         "scores:*fp16 labels:*i64 losses:*fp32 grads:*fp16 N:i32 BLOCK=4096", (8192, 1, 1),
         indirect=True),
    Case("rows", "rope", "x:*fp16 cosines:*fp32 sines:*fp32 out:*fp16 heads:i32 D=128",
         (4096, 32, 1), warps=1),
    Case("rows", "sort_rows", "x:*fp32 out:*fp32 N=1024", (4096, 1, 1)),
    Case("rows", "reduce_columns", "x:*fp32 out:*fp32 N:i32 BM=64 BN=128", (128, 32, 1)),
    Case("rows", "histogram", "x:*i32 counts:*i32 BLOCK=4096 BINS=256", (4096, 1, 1)),
    Case("pointwise", "add", "x:*fp32 y:*fp32 out:*fp32 n:i32 BLOCK=1024", (16384, 1, 1)),
    Case("pointwise", "bias_gelu", "x:*fp16 bias:*fp16 out:*fp16 N:i32 BM=32 BN=128",
         (256, 32, 1)),
    Case("pointwise", "transpose", "x:*fp32 out:*fp32 M:i32 N:i32 BM=32 BN=32",
         (128, 128, 1)),
    Case("pointwise", "stencil", "x:*fp32 out:*fp32 N:i32 BM=8 BN=256", (16, 512, 1)),
    Case("pointwise", "embedding", "tokens:*i64 table:*fp16 out:*fp16 N:i32 BLOCK=1024",
         (8192, 4, 1), indirect=True),
    Case("pointwise", "dropout", "x:*fp32 out:*fp32 n:i32 p:fp32 seed:i32 BLOCK=1024",
         (16384, 1, 1)),
    Case("waiting", "tickets", "next:*i32 x:*fp32 out:*fp32 BLOCK=1024", (4096, 1, 1),
         waits=True),
    Case("waiting", "append", "x:*fp32 out:*fp32 count:*i32 BLOCK=1024", (4096, 1, 1),
         waits=True),
    Case("waiting", "split_semaphore",
         f"a:*fp16 b:*fp16 c:*fp16 parts:*fp32 arrived:*i32 K:i32 {STRIDES} {TILES} PARTS=4",
         (32, 32, 4), waits=True),
    Case("waiting", "stream_product",
         f"a:*fp16 b:*fp16 c:*fp16 locks:*i32 parts:*fp32 N:i32 K:i32 {STRIDES} {TILES}",
         (2048, 1, 1), waits=True),
    Case("waiting", "locked_sums", "dy:*fp32 locks:*i32 dw:*fp32 N:i32 GROUP=64 BLOCK=4096",
         (8192, 1, 1), waits=True),
    Case("waiting", "flags", "ready:*i32 x:*fp32 out:*fp32 BLOCK=1024", (4096, 1, 1),
         waits=True),
    Case("waiting", "prefix_sums", "x:*fp32 out:*fp32 sums:*fp32 BLOCK=1024", (4096, 1, 1),
         waits=True),
    Case("waiting", "barrier", "x:*fp32 out:*fp32 arrived:*i32 BLOCK=1024", (128, 1, 1),
         waits=True),
    Case("waiting", "smooth_in_place", "x:*fp32 n:i32 BLOCK=1024", (4096, 1, 1), waits=True),
]
