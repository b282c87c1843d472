# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM 24's text as LLVM 22 reads it, and back."""
import math
import random
import struct

import pytest

from swizzle.llvm_text import as_in, for_tools


@pytest.mark.parametrize("new, old", [
    ("fadd float %a, f0x3FB8AA3B", "fadd float %a, 0x3FF7154760000000"),
    ("phi float [ -inf, %.lr.ph ], [ %b, %1 ]",
     "phi float [ 0xFFF0000000000000, %.lr.ph ], [ %b, %1 ]"),
    ("<2 x float> splat (float +inf)", "<2 x float> splat (float 0x7FF0000000000000)"),
    ("fmul float %a, -1.702000e+00", "fmul float %a, 0xBFFB3B6460000000"),
    ("store half f0x3C00, ptr %p", "store half 0xH3C00, ptr %p"),
    ("store bfloat 1.1, ptr %p", "store bfloat 0xR3F8D, ptr %p"),
    ("fadd double %a, f0x3FF0000000000001", "fadd double %a, 0x3FF0000000000001"),
    ('attributes #0 = { "uniform-work-group-size" }',
     'attributes #0 = { "uniform-work-group-size"="true" }'),
    ('target triple = "amdgpu9.42-amd-amdhsa"', 'target triple = "amdgcn-amd-amdhsa"'),
    ("call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1.i32(ptr addrspace(1) %0, i16 0, "
     "i32 64, i32 1)",
     "call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %0, i16 0, "
     "i64 64, i32 1)"),
    ("splat (bfloat +nan(0x3F))", "splat (bfloat 0xR7FFF)"),
    ("select i1 %a, half -qnan, half +snan(0x1)", "select i1 %a, half 0xHFE00, half 0xH7C01"),
    ("fadd float %a, +qnan", "fadd float %a, 0x7FF8000000000000"),
    ("fadd float %a, -nan(0x3FFFFF)", "fadd float %a, 0xFFFFFFFFE0000000"),
    ("fadd float %a, +snan(0x1)", "fadd float %a, 0x7FF0000020000000"),
    ("fadd double %a, +nan(0x5)", "fadd double %a, 0x7FF8000000000005"),
    ("attributes #1 = { memory(read, target_mem: none) }",
     "attributes #1 = { memory(read) }"),
    ("attributes #1 = { memory(target_mem0: none, argmem: read) nounwind }",
     "attributes #1 = { memory(argmem: read) nounwind }"),
    ("attributes #1 = { nounwind memory(target_mem: read) }", "attributes #1 = { nounwind  }"),
    ("call void @llvm.amdgcn.raw.ptr.buffer.load.async.lds(ptr addrspace(8) %0)",
     "call void @llvm.amdgcn.raw.ptr.buffer.async.load.lds(ptr addrspace(8) %0)"),
])
def test_what_llvm_24_writes_otherwise(new, old):
    assert for_tools(new) == old
    assert for_tools(old) == old


@pytest.mark.parametrize("text", [
    "fadd float %a, 2.500000e+00", "fadd float %a, 0x3FF7154760000000",
    'call void asm sideeffect "mov.f32 $0, 1.1; // float f0x3FB8AA3B", "=r"()',
    "; float f0x3FB8AA3B", "br label %1.5", "call float @f.1.1(float %x.1.1)",
    '!0 = !{!"float 1.1"}', "add i32 %a, -1",
])
def test_what_is_left_alone(text):
    assert for_tools(text) == text


def test_floats_keep_their_value():
    source = random.Random(1)
    for _ in range(1000):
        bits = source.getrandbits(32)
        (value,) = struct.unpack(">f", bits.to_bytes(4, "big"))
        if math.isnan(value):
            continue
        text = for_tools(f"float f0x{bits:08X}").split()[1]
        (back,) = struct.unpack(">d", bytes.fromhex(text[2:]))
        assert back == value and math.copysign(1, back) == math.copysign(1, value)


def test_nans_keep_their_bits():
    source = random.Random(2)
    for _ in range(1000):
        payload, quiet = source.randrange(1, 1 << 22), source.random() < 0.5
        literal = f"{'+' if quiet else '-s'}nan(0x{payload:X})"
        text = for_tools(f"float {literal}").split()[1]
        bits = int(text[2:], 16)
        assert bits & (1 << 29) - 1 == 0 and bits >> 52 == (0x7FF if quiet else 0xFFF)
        assert bits >> 29 & 0x7FFFFF == payload | quiet << 22


def test_an_intrinsic_that_was_turned_round_is_turned_back():
    call = "call void @llvm.amdgcn.raw.ptr.buffer.load.async.lds(ptr addrspace(8) %0)"
    assert as_in(call, for_tools(call)) == call


def test_a_literal_that_is_too_long_is_no_float():
    with pytest.raises(ValueError, match="longer payload than a half"):
        for_tools("half +nan(0x200)")
    with pytest.raises(ValueError, match="more digits than a float"):
        for_tools("float f0x3FB8AA3B0")


def test_what_comes_back_is_as_it_went():
    original = ('target triple = "amdgpu9.42-amd-amdhsa"\n'
                "declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1.i32("
                "ptr addrspace(1), i16, i32, i32)\n"
                'attributes #0 = { "uniform-work-group-size" nocreateundeforpoison }\n')
    assert as_in(original, for_tools(original)) == original
    old = "declare float @llvm.nvvm.ex2.approx.ftz.f(float) #0\nattributes #0 = { nounwind }\n"
    new = ("declare float @llvm.nvvm.ex2.approx.ftz.f32(float) #0\n"
           "attributes #0 = { nocreateundeforpoison nounwind }\n")
    assert as_in(old, new) == old.replace("{ nounwind", "{  nounwind")
