# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR as text, from a compiler that carries another LLVM than the tools do, and back.

The tools read what LLVM 22 reads. LLVM 24, which is in Triton 3.9 and in IREE 3.13, writes
some things in another way:

    float f0x3FB8AA3B, -inf, -1.702000e+00    0x3FF7154760000000, 0xFFF0000000000000, ...
    bfloat +nan(0x3F), +qnan, -snan(0x1)      0xR7FFF, 0xR7FC0, 0xRFF81
    memory(read, target_mem: none)            memory(read)
    "uniform-work-group-size"                 "uniform-work-group-size"="true"
    target triple = "amdgpu9.42-amd-amdhsa"   target triple = "amdgcn-amd-amdhsa"
    @llvm.amdgcn.make.buffer.rsrc.p7.p1.i32   @llvm.amdgcn.make.buffer.rsrc.p7.p1, of i64
    @llvm.amdgcn.raw.ptr.buffer.load.async.lds, which LLVM 22 takes for another intrinsic

`for_tools` writes text as LLVM 22 does, and leaves alone what already is; `as_in` writes
what came back in the way of the text that went in.
"""
from __future__ import annotations

import re
import struct

__all__ = ["as_in", "for_tools"]

#: A float's bits, by its type: how many hexadecimal digits, how struct calls it, and how
#: LLVM 22 begins such a literal. Those of `float` are written as a double's.
FLOATS = {"half": (4, ">e", "0xH"), "float": (8, ">f", "0x"), "double": (16, ">d", "0x"),
          "bfloat": (4, "", "0xR")}
#: The bits of a float that are neither its sign nor its exponent.
FRACTION = {"half": 10, "float": 23, "double": 52, "bfloat": 7}
NAN = re.compile(r"([-+])(q|s)?nan(?:\((0x[0-9A-Fa-f]+)\))?")

#: Strings, comments and names come first: nothing within them is a literal.
TOKEN = re.compile(r"""
    "[^"]*" | ;[^\n]* | [%@!$\#^][-\w$.]+
  | (?P<bits>\bf0x[0-9A-Fa-f]+\b)
  | (?P<infinity>(?<![\w.])[-+]inf\b)
  | (?P<nan>(?<![\w.])[-+](?:qnan\b|s?nan\(0x[0-9A-Fa-f]+\)))
  | (?P<decimal>(?<![\w.])[-+]?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?)
  | (?P<word>[A-Za-z_][\w.]*)
""", re.VERBOSE)

TRIPLE = re.compile(r'^target triple = "(amdgpu[^"]*)"$', re.MULTILINE)
#: How long a resource is: of 32 bits on these targets, and of 64 in LLVM 22.
RESOURCE = re.compile(
    r"(@llvm\.amdgcn\.make\.buffer\.rsrc\.p\d\.p\d)\.i32(\([^\n]*?, i16[^,]*, )i32")
LONG_RESOURCE = re.compile(
    r"(@llvm\.amdgcn\.make\.buffer\.rsrc\.p\d\.p\d)(\([^\n]*?, i16[^,]*, )i64")
UNIFORM = '"uniform-work-group-size"'
MEMORY = re.compile(r"\bmemory\(([^()]*\btarget_mem[^()]*)\)")
#: Intrinsics that LLVM 22 would take for others, and what they are called meanwhile.
TURNED_ROUND = {"@llvm.amdgcn.raw.ptr.buffer.load.async.lds(":
                "@llvm.amdgcn.raw.ptr.buffer.async.load.lds("}
#: An attribute that LLVM 22 writes and the LLVM inside of Triton 3.6 does not read.
UNREADABLE_ATTRIBUTE = "nocreateundeforpoison"
#: Intrinsics as LLVM 22 calls them, and as that LLVM does.
RENAMED = {f"@llvm.nvvm.ex2.approx{ftz}.f32(": f"@llvm.nvvm.ex2.approx{ftz}.f("
           for ftz in ("", ".ftz")}


def bits_of_nan(text: str, kind: str) -> int | None:
    """The bits of "+qnan", "+nan(0x3F)" or "-snan(0x1)"; None of another literal."""
    match = NAN.fullmatch(text)
    if not match:
        return None
    sign, how, payload = match.groups()
    fraction, bits = FRACTION[kind], 4 * FLOATS[kind][0]
    value = int(payload or "0", 16)
    if value >> (fraction - 1):
        raise ValueError(f"{text} has a longer payload than a {kind}")
    exponent = (1 << (bits - 1 - fraction)) - 1
    quiet = 0 if how == "s" else 1 << (fraction - 1)
    return (sign == "-") << (bits - 1) | exponent << fraction | quiet | value


def bits_of(text: str, kind: str) -> int:
    """The bits of a literal of LLVM 24 that has the type `kind`."""
    digits, code, _ = FLOATS[kind]
    nan = bits_of_nan(text, kind)
    if nan is not None:
        return nan
    if text.startswith("f0x"):
        if len(text) - 3 > digits:
            raise ValueError(f"{text} has more digits than a {kind}")
        return int(text[3:], 16)
    if kind == "bfloat":  # the upper half of a float, rounded to even
        whole = int.from_bytes(struct.pack(">f", float(text)), "big")
        return whole + 0x7FFF + (whole >> 16 & 1) >> 16 if "inf" not in text else whole >> 16
    return int.from_bytes(struct.pack(code, float(text)), "big")


def literal(text: str, kind: str) -> str:
    """A literal as LLVM 22 writes it."""
    digits, code, prefix = FLOATS[kind]
    bits = bits_of(text, kind)
    if code and text[-1].isdigit() and "x" not in text and float(text) == struct.unpack(
            code, bits.to_bytes(digits // 2, "big"))[0]:
        return text  # exact: LLVM 22 writes it so as well
    if kind == "float" and NAN.fullmatch(text):  # bit by bit: no arithmetic keeps them all
        bits, digits = (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29, 16
    elif kind == "float":
        (value,) = struct.unpack(code, bits.to_bytes(4, "big"))
        bits, digits = int.from_bytes(struct.pack(">d", value), "big"), 16
    return f"{prefix}{bits:0{digits}X}"


def rewrite_floats(line: str) -> str:
    """A line with its floating-point literals as LLVM 22 writes them."""
    kind = ""

    def rewrite(token: re.Match[str]) -> str:
        nonlocal kind
        if token["word"] in FLOATS:
            kind = token["word"]
        elif kind and (token["bits"] or token["infinity"] or token["nan"] or token["decimal"]):
            return literal(token[0], kind)
        return token[0]

    return TOKEN.sub(rewrite, line)


def without_target_memory(attribute: re.Match[str]) -> str:
    """What a function does to memory of the target, unsaid: it may do anything there."""
    parts = attribute[1].split(", ")
    rest = [part for part in parts if not part.startswith("target_mem")]
    if any(part not in rest and not part.endswith(": none") for part in parts):
        return ""
    return f"memory({', '.join(rest)})" if rest else ""


def for_tools(llir: str) -> str:
    """The module as LLVM 22 reads it."""
    llir = TRIPLE.sub('target triple = "amdgcn-amd-amdhsa"', llir)
    # A length that is no constant would have to be widened; then LLVM 22 says so.
    llir = RESOURCE.sub(r"\1\2i64", llir)
    llir = re.sub(UNIFORM + "(?!=)", UNIFORM + '="true"', llir)
    llir = MEMORY.sub(without_target_memory, llir)
    for new, turned in TURNED_ROUND.items():
        llir = llir.replace(new, turned)
    return "".join(
        rewrite_floats(line) if any(sign in line for sign in ("f0x", "inf", "nan", ".")) else line
        for line in llir.splitlines(keepends=True))


def as_in(original: str, changed: str) -> str:
    """`changed`, which the tools wrote, as the LLVM that wrote `original` reads it."""
    if triple := TRIPLE.search(original):
        changed = re.sub('^target triple = "[^"]*"$', triple[0], changed, count=1,
                         flags=re.MULTILINE)
    if RESOURCE.search(original):
        changed = LONG_RESOURCE.sub(r"\1.i32\2i32", changed)
    if re.search(UNIFORM + "(?!=)", original):
        changed = changed.replace(UNIFORM + '="true"', UNIFORM)
    if UNREADABLE_ATTRIBUTE not in original:
        changed = changed.replace(UNREADABLE_ATTRIBUTE, "")
    for new, turned in TURNED_ROUND.items():
        changed = changed.replace(turned, new)
    for new, old in RENAMED.items():
        if new not in original:
            changed = changed.replace(new, old)
    return changed
