# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a launch passes, as far as a proof may rest on it, and ways to launch that ask.

A kernel is judged with the arguments of one launch: its integers are sizes, and its
buffers lie apart. A later launch on the same grid may pass others.
"""
from __future__ import annotations

import operator
from typing import Any, Callable, Hashable, Sequence

__all__ = ["Apart", "Key", "sizes_key"]

#: Combinations of buffers that are remembered of one order.
MOST_PLACES = 4096

#: What a launch with these arguments is told by; one kernel's are all of the same types.
Key = Callable[[Sequence[Any]], Hashable]


def sizes_key(arguments: Sequence[Any]) -> Key:
    """The integers among the arguments, and what descriptors of tensors say of theirs."""
    return key_of(arguments, lambda value: isinstance(value, int), sizes_of)


def places_key(arguments: Sequence[Any]) -> Key:
    """Where the buffers among the arguments lie."""
    return key_of(arguments, lambda value: False, places_of)


def key_of(arguments: Sequence[Any], is_plain: Callable[[Any], bool],
           read: Callable[[Any], Hashable]) -> Key:
    """A key of what is itself one, and of what has to be read; the rest has none."""
    plain = [place for place, value in enumerate(arguments) if is_plain(value)]
    others = [place for place, value in enumerate(arguments)
              if not is_plain(value) and read(value) is not None]
    if not plain and not others:
        return lambda _: None
    if not plain:
        return lambda values: tuple(read(values[place]) for place in others)
    get: Key = operator.itemgetter(*plain)
    if not others:
        return get
    return lambda values: (get(values), *[read(values[place]) for place in others])


def sizes_of(value: Any) -> Hashable:
    if isinstance(value, (tuple, list)):
        return tuple(one if isinstance(one, int) else sizes_of(one) for one in value)
    return (*value.shape, *value.strides) if hasattr(value, "strides") else None


def places_of(value: Any) -> Hashable:
    """All that says which bytes a tensor has, or that of a descriptor."""
    if isinstance(value, (tuple, list)):
        return tuple(places_of(one) for one in value)
    value = getattr(value, "base", value)
    if not hasattr(value, "data_ptr"):
        return None
    if hasattr(value, "stride"):
        return value.data_ptr(), value.shape, value.stride()
    return int(value.data_ptr())


class Apart:
    """A way to launch a kernel in an order that needs buffers to lie apart: where `fails`
    says of the arguments that they do not, the kernel's own order runs."""
    __slots__ = ("original", "way", "fails", "key", "known")

    def __init__(self, original: Callable[..., Any], way: Callable[..., Any],
                 arguments: Sequence[Any], fails: Callable[[Sequence[Any]], Any]):
        self.original, self.way, self.fails = original, way, fails
        self.key = places_key(arguments)
        self.known: dict[Hashable, Callable[..., Any]] = {}

    def __call__(self, *launch: Any) -> Any:
        # Behind the grid, the stream, the handle, the metadata twice, and two hooks.
        arguments = launch[9:]
        try:
            places = self.key(arguments)
            way = self.known.get(places) or self.decide(places, arguments)
        except Exception:  # not the arguments that a kernel of this type has
            way = self.original
        return way(*launch)

    def decide(self, places: Hashable, arguments: Sequence[Any]) -> Callable[..., Any]:
        if len(self.known) >= MOST_PLACES:
            self.known.clear()
        way = self.known[places] = self.original if self.fails(arguments) else self.way
        return way
