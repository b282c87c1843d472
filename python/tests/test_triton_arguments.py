# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tool is told of a launch: each size of the parameter that it is passed as."""
import types

import pytest

triton = pytest.importorskip(
    "triton", reason="triton is not installed; scripts/lib/setup.sh puts it into build/triton")
tl = pytest.importorskip("triton.language")

import swizzle.triton as st  # noqa: E402
from swizzle.triton.arguments import Unclear, map_of, parameters_of, sizes_of  # noqa: E402
from swizzle.triton.assembling import question_of  # noqa: E402
from swizzle.triton.patching import options_text  # noqa: E402
from triton.tools.tensor_descriptor import TensorDescriptor  # noqa: E402
from triton_device import Tensor, use  # noqa: E402


@triton.jit
def scaled(x, y, flag, scale, seed, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n) * scale
    if flag:
        value += seed.to(tl.float32)
    tl.store(y + at, value.to(tl.float16), mask=at < n)


@triton.jit
def nested(nothing, pointers, sizes, M, BLOCK: tl.constexpr):
    at = tl.program_id(0) * M + tl.arange(0, BLOCK)
    tl.store(pointers[1] + at * sizes[1][1], tl.load(pointers[0] + at * sizes[0]))


@triton.jit
def described(a, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    tl.store(out + (m + tl.arange(0, BM))[:, None] * N + (n + tl.arange(0, BN))[None, :],
             a.load([m, n]))


class Element(str):
    itemsize = 2


class Matrix(Tensor):
    shape, strides = (8192, 4096), (4096, 1)

    def stride(self):
        return self.strides


@pytest.fixture(params=["sm_90", "gfx942"])
def target(request):
    for kernel in (scaled, nested, described):
        kernel.device_caches.clear()
    use(request.param)
    yield request.param
    st.uninstall()


def compiled(kernel, *arguments, **constants):
    """The kernel, and all that its launcher gets."""
    result = kernel[(64, 64)](*arguments, **constants)
    return result, (*arguments, *constants.values())


@pytest.mark.parametrize("seed, told", [
    (1234, "1234"), (2**50 - 1, str(2**50 - 1)), (2**50, "?"), (-2**50, "?"), (-3, "-3"),
    (2**63 - 1, "?"), (2**64 - 1, "?")])
def test_seeds_are_no_sizes(target, tmp_path, seed, told):
    arguments = (Tensor(), Tensor(), True, 0.5, seed, 100)
    kernel, passed = compiled(scaled, *arguments, BLOCK=128)
    assert sizes_of(kernel, passed) == f"?+?+1+?+{told}+100"


@pytest.mark.parametrize("value, told", [(True, "1"), (False, "0")])
def test_booleans_are_told(target, tmp_path, value, told):
    kernel, passed = compiled(scaled, Tensor(), Tensor(), value, 0.5, 7, 100, BLOCK=128)
    assert sizes_of(kernel, passed) == f"?+?+{told}+?+7+100"


def test_a_launch_with_them_is_looked_at(target, tmp_path):
    st.install(cache=tmp_path)
    scaled[(64,)](Tensor(), Tensor(), True, 0.5, 2**63 - 1, 100, BLOCK=128)
    (one,) = st.report()
    assert one.outcome != "failed", one.reason


@pytest.mark.parametrize("last", [64, 1, None])
def test_elements_of_tuples_are_parameters_of_their_own(target, last):
    # What is 1 or None becomes a constant, and so none.
    arguments = ((), (Tensor(), Tensor()), (8192, (None, 512, ()), 2**60, last), 4096)
    kernel, passed = compiled(nested, *arguments, BLOCK=128)
    assert sizes_of(kernel, passed) == "?+?+8192+512+?+" + ("64+" if last == 64 else "") + "4096"
    assert sizes_of(kernel, ((), *passed[:-1])) == ""
    assert sizes_of(kernel, passed[:-1]) == ""


def test_a_descriptor_is_as_many_parameters_as_the_target_has(target):
    matrix = TensorDescriptor(Matrix(Element("float16")), [8192, 4096], [4096, 1], [128, 64])
    kernel, passed = compiled(described, matrix, Tensor(), 8190, 4094, BM=128, BN=64)
    descriptor = {"sm_90": "map:2:8192x4096:4096x1:128x64+8192+4096+4096+1",
                  "gfx942": "?+8192+4096+4096+1+?+8192+4096+4096+1"}[target]
    told = sizes_of(kernel, passed).replace("+?+?+8192", "+?+8192")  # a switch more from 3.9 on
    assert told == descriptor + "+?+8190+4094"
    # Of a launcher that would take it apart otherwise, nothing is known.
    metadata = types.SimpleNamespace(tensordesc_meta=[{}, {}])
    other = types.SimpleNamespace(src=kernel.src, asm=kernel.asm, name=kernel.name,
                                  metadata=metadata)
    assert sizes_of(other, passed) == ""


@pytest.mark.parametrize("encoding", [
    None, {}, {"elem_size": 2}, {"elem_size": 1, "block_size": [128, 64], "fp4_padded": True},
    {"elem_size": 2, "block_size": [128, 64], "is_im2col": True},
    {"elem_size": 2, "block_size": [64]}])
def test_nothing_is_told_of_a_map_that_is_no_plain_box(encoding):
    assert map_of([8192, 4096], [4096, 1], encoding) is None
    assert map_of([8192, "n"], [4096, 1], {"elem_size": 2, "block_size": [8, 64]}) is None


@pytest.mark.parametrize("parameters, told", [
    ("ptr addrspace(1) inreg captures(none) %0, i32 inreg %1", "?+7"),
    ("ptr %0, i32 %1, ptr addrspace(1) %2, ptr %3", "?+7"),
    ("ptr byval([2 x { i32, i8 }]) align 64 \"a(,\" %0, i32 %1", "?+7"),
    ("ptr %0, i64 %1", ""), ("i32 %0, ptr %1", ""), ("ptr %0", ""), ("", ""),
    ("ptr %0, i32 %1, i32 %2", "")])
def test_nothing_is_told_where_a_parameter_does_not_fit(parameters, told):
    kernel = types.SimpleNamespace(
        name="k.1", metadata=None, src=types.SimpleNamespace(signature={0: "*fp16", 1: "i32"}),
        asm={"llir": f"define void @k.10() {{\ndefine ptx_kernel void @k.1({parameters}) #0 {{\n"})
    assert sizes_of(kernel, (Tensor(), 7)) == told


def test_a_function_that_is_not_there_has_no_parameters():
    assert parameters_of('define amdgpu_kernel void @"a b"(half %0) {', "a b") == ["half"]
    for text in "declare void @k(i32)", "define void @k(i32", "":
        with pytest.raises(Unclear):
            parameters_of(text, "k")


@pytest.mark.parametrize("registers, shared, told", [
    (96, 49152, "registers=96;dynamic-workgroup-bytes=49152"), (0, 0, ""), (None, None, "")])
def test_registers_and_workgroup_memory_are_told_where_known(registers, shared, told):
    gpu = types.SimpleNamespace(backend="cuda", arch=90)
    kernel = types.SimpleNamespace(
        name="k", src=None, asm={"llir": ""}, n_regs=registers,
        metadata=types.SimpleNamespace(target=gpu, shared=shared))
    text = options_text(question_of(kernel, (4, 1, 1)), st.Settings())
    assert text == "target=sm_90;grid=4x1x1;tag=off" + (told and ";" + told)
    del kernel.n_regs
    assert "registers" not in options_text(question_of(kernel, (4, 1, 1)), st.Settings())
