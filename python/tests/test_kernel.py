# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels through swizzle-opt and swizzle-sim."""
import pytest

import swizzle

# Rows of a matrix, each read by all workgroups of a column of the grid.
KERNEL = """
gpu.module @m {
  gpu.func @k(%a: memref<64x4096xf32>, %b: memref<64x4096xf32>) kernel
      attributes {known_grid_size = array<i32: 64, 16, 1>,
                  known_block_size = array<i32: 256, 1, 1>} {
    %c256 = arith.constant 256 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %t = gpu.thread_id x
    %base = arith.muli %y, %c256 : index
    %i = arith.addi %base, %t : index
    %v = memref.load %a[%x, %i] : memref<64x4096xf32>
    memref.store %v, %b[%x, %i] : memref<64x4096xf32>
    gpu.return
  }
}
"""


def test_an_explicit_formula_is_applied_and_reported():
    plan = swizzle.plan(KERNEL, "h200", formula="return gx - 1 - x, y")
    (kernel,) = plan.kernels
    assert kernel.outcome == "remapped" and kernel.proof == "enumerated"
    assert kernel.grid == "64x16x1" and kernel.chip == "h200"
    assert "swizzle.applied" in plan.ir
    # Nobody asked for figures, so none are claimed.
    assert kernel.before is None and kernel.after is None


@pytest.mark.parametrize("formula", ["# The other way round.\nreturn gx - 1 - x, y",
                                     "return (gx - 1\n        - x), y",
                                     "a = gx - 1\nreturn a - x, y\n"])
def test_a_formula_of_several_lines_is_the_formula_that_it_is(formula):
    assert swizzle.check(formula, grid=(64, 16))
    (kernel,) = swizzle.plan(KERNEL, "h200", formula=formula).kernels
    assert kernel.outcome == "remapped"
    (one_line,) = swizzle.plan(KERNEL, "h200", formula="return gx - 1 - x, y").kernels
    assert kernel.assumptions == one_line.assumptions


def test_an_explicit_formula_is_simulated_if_that_is_asked_for():
    plan = swizzle.plan(KERNEL, "h200", formula="return gx - 1 - x, y", simulate="fast")
    (kernel,) = plan.kernels
    assert kernel.before.origin == "simulated" and kernel.before.dram_bytes > 0


def test_an_illegal_formula_is_an_error_with_its_counterexample():
    with pytest.raises(swizzle.ToolError, match="both map to"):
        swizzle.plan(KERNEL, "h200", formula="return x // 2, y")


def test_a_file_does_as_well_as_text(tmp_path):
    path = tmp_path / "kernel.mlir"
    path.write_text(KERNEL)
    formula = "i = y * gx + x\nreturn i // gy, i % gy"
    assert swizzle.plan(path, "h200", formula=formula).ir == \
        swizzle.plan(KERNEL, "h200", formula=formula).ir


def test_simulation_says_before_and_after():
    (one,) = swizzle.simulate(KERNEL, "mi300x", "return gx - 1 - x, y")
    assert one.kernel == "k" and one.chip == "mi300x"
    # Every byte is touched once: no order can change what DRAM delivers.
    size = 64 * 4096 * 4
    assert one.before.dram_read_bytes == pytest.approx(size, rel=0.02)
    assert one.after.dram_read_bytes == pytest.approx(size, rel=0.02)


def test_without_a_formula_the_kernel_is_simulated_as_it_is():
    (one,) = swizzle.simulate(KERNEL, "h200", kernel="k")
    assert one.before is None and one.after.time_us > 0


def test_an_unknown_chip_is_an_error_that_lists_the_known_ones():
    with pytest.raises(swizzle.ToolError, match="mi300x"):
        swizzle.simulate(KERNEL, "mi301x")
