# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every kernel of benchmarks/suite computes what its plain reference does, and what is a
little wrong is noticed: numbers that change, a launch that is missing, kernels that are
broken on purpose."""
import dataclasses
import pathlib
import shutil
import sys

import pytest

SUITE = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "suite"
sys.path.insert(0, str(SUITE))

import references  # noqa: E402
import suite  # noqa: E402

pytestmark = pytest.mark.skipif(shutil.which("clang-22") is None,
                                reason="clang-22 is not installed")

KERNELS = {kernel.name: kernel for path in references.MANIFESTS for kernel in suite.load(path)}
CASES = {case.name: case for kernel in KERNELS.values() if kernel.reference
         for case in references.small_cases(kernel)}

#: A line of each kernel, and what makes it wrong without leaving a buffer. Those that lack
#: a barrier are wrong where threads take their turns in one order, and right in the other.
BROKEN = {
    "star3d_r1": ("in[at - i * kX * kY]", "in[at - i * kX]"),
    "star3d_r2": ("(0.125f / i)", "0.125f / (2 * i - 1)"),
    "star3d_r4": ("i <= R", "i < R"),
    "star3d_wide": ("line[4 + j - i]", "line[4 + j + i]"),
    "star2d": ("blockIdx.y * 4 + threadIdx.y", "blockIdx.y * 4 + threadIdx.y % 3"),
    "fdtd2d": ("x > 0", "x > 1"),
    "smith_waterman": ("__syncthreads();", ""),
    "convolution": ("(y + i + dy) * kRow", "(y + i + dx) * kRow"),
    "decode_paged": ("page * COPIES + entry % COPIES", "page * COPIES"),
    "decode_scores": ("blockIdx.y / GROUP", "blockIdx.y % kKeyHeads"),
    "matvec_batch": ("warp * 4 + i][lane]", "warp * 4 + (i ^ 1)][lane]"),
    "bias_add": ("sum > 0", "sum > 0.0625f"),
    "transpose": ("__syncthreads();", ""),
    "softmax_parts": ("power(largest[blockIdx.y * PARTS + i] - most)", "1.0f"),
    "layer_norm_parts": ("square / COLUMNS - mean * mean", "square / COLUMNS"),
    "black_scholes": ("value + discount - s", "value + k - s"),
    "product": ("tileB[j][tx + 16 * x]", "tileB[j ^ 1][tx + 16 * x]"),
    "product_grouped": ("blockIdx.y >= begins", "blockIdx.y > begins"),
    "product_stream_k_atomic": ("last - step < left ? last - step : left", "left"),
    "attention_prefill": ("blockIdx.y / GROUP", "blockIdx.y % (HEADS / GROUP)"),
    "attention_causal": ("(tile - count + 2) * 64", "(tile - count + 1) * 64"),
    "attention_scores": ("floordiv 4)>", "mod 2)>"),
    "matmul_tensor": ("gpu.barrier\n      linalg.matmul", "linalg.matmul"),
    "product_bf16": ("lane / 16 % 2", "lane / 32"),
    "attention_blocks": ("rows.sums[d] *= less;", ";"),
    "transpose_half": ("tile[threadIdx.x][threadIdx.y + i]", "tile[threadIdx.y + i][threadIdx.x]"),
    "layer_norm_wide": ("weight[first + i]", "weight[i]"),
    "smith_waterman_batch": ("corner[tile] = before", "corner[tile] = left"),
    "softmax_bias": ("(float)bias[row * KEYS + key]", "(float)bias[row % QUERIES * KEYS + key]"),
    "black_scholes_scenarios": ("0.25f * move[1]", "0.25f * move[0]"),
    "product_stream_k": ("first < rest * kSteps)", "first <= rest * kSteps)"),
    "spmv": ("memref.load %values[%i]", "memref.load %values[%first]")}


@pytest.fixture(scope="module", params=CASES)
def ran(request, tmp_path_factory):
    """A case, its buffers after each launch, and what its reference makes of the first."""
    case, folder = CASES[request.param], tmp_path_factory.mktemp("reference")
    source = references.lower(references.shrink(case, folder), folder)
    states = references.run_kernel(case, source)
    return case, states, references.compute(case, folder, states[0])


def test_a_kernel_computes_what_its_reference_does(ran):
    case, states, expected = ran
    assert [one.function for one in expected] in (["reference"], ["reference", "mathematics"])
    assert [references.compare(case, states[-1], one) for one in expected] == [""] * len(expected)


def test_a_number_that_changes_is_noticed(ran):
    case, states, (expected, *_) = ran
    for name in case.kernel.buffers:
        kind = case.buffer(name)["type"]
        size = suite.BYTES[kind]
        count = len(states[-1][name]) // size
        coarse = 16 if kind == "bf16" else 1  # eight bits of a number, and sums of such
        for place in {0, count // 3, count - 1}:
            changed = dict(states[-1], **{name: bytearray(states[-1][name])})
            part = slice(place * size, (place + 1) * size)
            (number,) = references.unpack(kind, changed[name][part])
            # NaN is what nobody writes.
            worse = number + (1 if kind.startswith("i") else
                              coarse * (abs(number) * 0.002 + 2e-4))
            changed[name][part] = references.pack(kind, worse if worse == worse else 0.0)
            assert f"element {place} of {name} is " in references.compare(case, changed, expected)


def test_a_launch_that_is_missing_is_noticed(ran):
    case, states, expected = ran
    assert all(references.compare(case, states[-2], one) for one in expected)


@pytest.mark.parametrize("name", CASES)
def test_a_broken_kernel_is_noticed(name, tmp_path):
    case = references.shrink(CASES[name], tmp_path)
    old, new = BROKEN[case.kernel.name]
    text = case.kernel.source.read_text(encoding="utf-8")
    assert old in text
    broken = tmp_path / f"broken{case.kernel.source.suffix}"
    broken.write_text(text.replace(old, new), encoding="utf-8")
    case = suite.Case(dataclasses.replace(case.kernel, source=broken), case.sizes)
    states = references.run_kernel(case, references.lower(case, tmp_path))
    for expected in references.compute(case, tmp_path, states[0]):
        assert references.compare(case, states[-1], expected)


def test_every_kernel_has_a_reference():
    # Matrix instructions of 4-bit floats are not emulated on the host.
    assert {case.kernel.name for case in CASES.values()} == set(BROKEN) == \
        set(KERNELS) - {"product_fp4"}
    used = {SUITE / kernel.reference["source"] for kernel in KERNELS.values() if kernel.reference}
    assert used == set((SUITE / "references").glob("*.cpp"))


def test_a_source_that_has_changed_is_told(tmp_path):
    case = next(case for case in CASES.values() if case.kernel.name == "matmul_tensor")
    source = tmp_path / "other.mlir"
    source.write_text("// schedule: none\n", encoding="utf-8")
    other = suite.Case(dataclasses.replace(case.kernel, source=source), case.sizes)
    with pytest.raises(ValueError, match="other.mlir has no '%a: memref<8192x8192xf16>"):
        references.shrink(other, tmp_path)
