# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tool is told of a launch's arguments: integers and tensor maps, each by its place
among the parameters of the kernel's function.

Triton's launcher makes parameters of arguments. Of a constexpr it makes none, of a tuple
those of its elements, of a tensor descriptor several, by the target:

    tensordesc<fp16[128, 64]>, *fp16, i32, constexpr, (i32, (constexpr, u1))
    sm_90   ptr i32 i32 i64 i64,                     ptr, i32, i32, i1
    gfx942  ptr i64 i64 i64 i64 i1 i32 i32 i64 i64,  ptr, i32, i32, i1
            (from Triton 3.9 on, with another i1 behind the first)

What is told of the wrong parameter would be believed, while telling nothing is always
right. So all of them are compared with the function in the LLVM IR, and nothing is told
where one does not fit.
"""
from __future__ import annotations

import re
from typing import Any, Iterator, Sequence

__all__ = ["overlapping", "parameters_of", "sizes_of"]

#: The tool refuses sizes from here on; so large a number is a seed or a bit pattern.
TOO_LARGE = 1 << 50

FLOATS = {"fp16": "half", "bf16": "bfloat", "fp32": "float", "f32": "float",
          "fp64": "double", "f64": "double"}


class Unclear(Exception):
    """Nobody can tell which parameters an argument becomes."""


def flatten(kind: Any, value: Any) -> Iterator[tuple[str, Any]]:
    """The parameters that an argument becomes: each one's type as Triton names it, and
    what is passed."""
    if isinstance(kind, tuple):
        if not isinstance(value, (tuple, list)) or len(kind) != len(value):
            raise Unclear
        for one in zip(kind, value):
            yield from flatten(*one)
    elif not isinstance(kind, str) or kind.startswith("tensordesc"):
        raise Unclear  # a descriptor within a tuple, which launchers do not take apart
    elif kind != "constexpr":
        yield kind, value


class Descriptor(str):
    """What the tool is told of a descriptor, or nothing, and the tensor that it is of."""

    base: Any


def described(told: str | None, base: Any) -> Descriptor:
    result = Descriptor(told or "")
    result.base = base
    return result


def map_of(shape: Sequence[int], strides: Sequence[int], encoding: Any) -> str | None:
    """What the tool is told of an encoded descriptor; None if it is no plain box of numbers
    of whole bytes."""
    told: dict[str, Any] = encoding if isinstance(encoding, dict) else {}
    box, size = told.get("block_size"), told.get("elem_size")
    if (told.get("fp4_padded") or told.get("is_im2col") or not size or not box
            or len(box) != len(shape)):
        return None
    numbers = (shape, strides, box)
    if not all(isinstance(number, int) and number > 0 for part in numbers for number in part):
        return None
    return ":".join([f"map:{size}", *("x".join(map(str, part)) for part in numbers)])


def take_apart(kind: str, value: Any, encoding: Any, switches: int) -> Iterator[tuple[str, Any]]:
    """The same of a tensor descriptor: encoded for the hardware, or a pointer with shape,
    strides and `switches` such as padding; shape and strides follow once more."""
    match = re.match(r"tensordesc<[^[>]*\[([^]]*)\]", kind)
    if not match:
        raise Unclear
    rank = match[1].count(",") + 1
    shape, strides = (list(getattr(value, name, None) or ()) for name in ("shape", "strides"))
    if len(shape) != rank or len(strides) != rank:
        raise Unclear
    if encoding is not None:
        told = map_of(shape, strides, encoding)
        yield "nvTmaDesc", described(told, getattr(value, "base", None))
        if told is None:  # its shape may be another one: numbers of four bits go in pairs
            shape, strides = [None] * rank, [None] * rank
    else:
        yield "*", getattr(value, "base", None)
        yield from (("i64", extent) for extent in (*shape, *strides))
        yield from [("i1", None)] * switches
    yield from (("i32", extent) for extent in shape)
    yield from (("i64", stride) for stride in strides)


def slots_of(kernel: Any, arguments: Sequence[Any], switches: int) -> list[tuple[str, Any]]:
    """The parameters that all arguments become. Raises Unclear."""
    signature = getattr(kernel.src, "signature", None)
    if not isinstance(signature, dict) or len(signature) != len(arguments):
        raise Unclear
    # A row for each descriptor that is encoded; nothing if they are all taken apart.
    encoded = list(getattr(kernel.metadata, "tensordesc_meta", None) or ())
    kinds = list(signature.values())
    descriptors = [isinstance(kind, str) and kind.startswith("tensordesc") for kind in kinds]
    if encoded and len(encoded) != sum(descriptors):
        raise Unclear
    slots: list[tuple[str, Any]] = []
    for kind, value, is_descriptor in zip(kinds, arguments, descriptors):
        if is_descriptor:
            slots += take_apart(kind, value, encoded.pop(0) if encoded else None, switches)
        else:
            slots += flatten(kind, value)
    return slots


def parameters_of(llir: str, name: str) -> list[str]:
    """Types of the parameters of a function that is defined in LLVM IR, such as "ptr" and
    "i32". Raises Unclear."""
    match = re.search(rf'^define [^\n]*?@"?{re.escape(name)}"?\(([^\n]*)', llir, re.MULTILINE)
    if not match:
        raise Unclear
    texts, depth = [""], 0
    for character in re.sub(r'"[^"]*"', "", match[1]):
        if character == ")" and not depth:
            return [text.split()[0] for text in texts if text.strip()]
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and not depth:
            texts.append("")
        else:
            texts[-1] += character
    raise Unclear


def llvm_type(kind: str) -> str:
    """Of a parameter, by its type as Triton names it; "" for one that is not known."""
    if kind.startswith("*") or kind == "nvTmaDesc":
        return "ptr"
    if match := re.fullmatch(r"[iu](\d+)", kind):
        return "i" + match[1]
    return FLOATS.get(kind, "")


def text_of(kind: str, value: Any) -> str:
    if kind == "nvTmaDesc":
        return str(value) or "?"
    is_told = (isinstance(value, int) and llvm_type(kind).startswith("i")
               and (value in (0, 1) if kind in ("i1", "u1") else abs(value) < TOO_LARGE))
    return str(int(value)) if is_told else "?"


def matching_slots(kernel: Any, arguments: Sequence[Any]) -> list[tuple[str, Any]]:
    """The parameters that all arguments become, if the function has them. Raises Unclear."""
    parameters = parameters_of(str(kernel.asm["llir"]), kernel.name)
    for switches in (1, 2):
        slots = slots_of(kernel, arguments, switches)
        # Pointers to memory for the compiler's own use may follow.
        expected = [llvm_type(kind) for kind, _ in slots]
        if expected + ["ptr"] * (len(parameters) - len(expected)) == parameters:
            return slots
    raise Unclear


def sizes_of(kernel: Any, arguments: Sequence[Any]) -> str:
    """Integers and tensor maps by their place among the parameters, the others as "?";
    nothing if they cannot be told apart."""
    try:
        return "+".join(text_of(kind, value) for kind, value in matching_slots(kernel, arguments))
    except Unclear:
        return ""


def range_of(value: Any) -> tuple[int, int] | None:
    """The bytes of a tensor, as far as it says; None for what has no address."""
    if not hasattr(value, "data_ptr"):
        return None
    start, size = int(value.data_ptr()), 1
    try:  # from the first to the last of its elements
        reach = sum((extent - 1) * stride for extent, stride in zip(value.shape, value.stride()))
        size = (reach + 1) * value.element_size()
    except (AttributeError, TypeError):
        pass
    return start, start + max(size, 1)


def overlapping(kernel: Any, arguments: Sequence[Any]) -> list[tuple[int, int]]:
    """Pairs of parameters, by their places, that are handed the same memory."""
    try:
        slots = matching_slots(kernel, arguments)
    except Unclear:
        return []
    ranges = [(place, found) for place, (kind, value) in enumerate(slots)
              if (kind.startswith("*") and (found := range_of(value)))
              or (kind == "nvTmaDesc" and (found := range_of(value.base)))]
    return [(a, b) for index, (a, one) in enumerate(ranges) for b, other in ranges[index + 1:]
            if one[0] < other[1] and other[0] < one[1]]
