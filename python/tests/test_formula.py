# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formulas through swizzle-formula: verdicts agree with brute force in Python."""
import itertools
import random

import pytest

import swizzle


def permutes(function, gx, gy):
    """Brute force: is the map one to one and onto?"""
    return {function(x, y) for y in range(gy) for x in range(gx)} == set(
        itertools.product(range(gx), range(gy)))


def test_a_legal_formula_carries_its_proof():
    verdict = swizzle.check("return gx - 1 - x, y", grid=(13, 7))
    assert verdict and verdict.proof == "enumerated" and verdict.ids == 91
    assert verdict.counterexample is None


def test_an_illegal_formula_carries_a_counterexample():
    verdict = swizzle.check("return x // 2, y", grid=(8, 4))
    assert not verdict
    assert verdict.code == "duplicate"
    assert "(0,0) and (1,0) both map to (0,0)" in verdict.counterexample


def test_what_cannot_be_read_raises_with_a_caret():
    with pytest.raises(swizzle.FormulaError, match=r"1:11.*\n.*x//\n\s+\^"):
        swizzle.check("return x//", grid=(8, 4))


def test_a_hardware_number_is_needed_and_taken():
    with pytest.raises(swizzle.FormulaError, match="num_xcds"):
        swizzle.check("@xcd-balanced", grid=(8, 4))
    assert swizzle.check("@xcd-balanced", grid=(8, 4), hardware={"num_xcds": 7})
    assert swizzle.check("@xcd-balanced", grid=(8, 4), chip="mi300x")


def test_unknown_extents_need_a_nest():
    assert swizzle.check("@xcd-balanced", grid=(None, None), chip="mi300x").proof == "nest"
    verdict = swizzle.check("return x ^ 1, y", grid=(None, None))
    assert not verdict and verdict.message


@pytest.mark.parametrize("seed", range(8))
def test_verdicts_agree_with_brute_force(seed):
    rng = random.Random(seed)
    gx, gy = rng.choice([(1, 13), (5, 3), (8, 4), (7, 1)])
    a, b = rng.randrange(1, 6), rng.randrange(6)
    verdict = swizzle.check(f"return (x * {a} + {b}) % gx, (y + x) % gy", grid=(gx, gy))
    assert verdict.legal == permutes(lambda x, y: ((x * a + b) % gx, (y + x) % gy), gx, gy)


def test_pictures_are_svg(tmp_path):
    path = tmp_path / "out.svg"
    text = swizzle.draw("@xcd-balanced", (8, 4), "mi300x", path=path)
    assert "<svg" in text[:400]
    assert path.read_text() == text


def test_a_table_names_every_workgroup():
    assert len(swizzle.table("return gx - 1 - x, y", (3, 2)).splitlines()) >= 6


def test_the_catalogue_is_legal_where_it_says_so():
    names = list(swizzle.catalogue())
    assert len(names) >= 20 and "hilbert" in names
    assert swizzle.check("@hilbert", grid=(5, 3))
