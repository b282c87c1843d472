# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of benchmarks/kernels/triton: what is modelled and refused is what the page
says, and nothing that waits for other programs is ever remapped."""
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "kernels" / "triton"
PAGE = ROOT / "docs" / "triton-kernels.md"


@pytest.fixture
def cases(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import cases
    return cases.CASES


def rows():
    """Outcomes by kernel and target, as the page has them."""
    found = {}
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 8 and cells[0].startswith("`"):
            found.setdefault((cells[0].strip("`"), cells[2]), []).append(cells[5])
    return found


def test_the_page_has_all_kernels_and_refuses_those_that_wait(cases):
    outcomes = rows()
    assert {case.kernel for case in cases} == {kernel for kernel, _ in outcomes}
    assert len({case.kernel for case in cases}) >= 25
    waiting = {case.kernel for case in cases if case.waits}
    assert len(waiting) >= 6
    for (kernel, target), all_outcomes in outcomes.items():
        if kernel in waiting:
            assert all_outcomes == ["refused"], (kernel, target)


def judge(option):
    return subprocess.run([sys.executable, FOLDER / "judge.py", option],
                          capture_output=True, text=True)


def triton_version():
    triton = pytest.importorskip("triton", reason="triton is not installed; "
                                 "scripts/lib/setup.sh puts it into build/triton")
    return triton.__version__


def test_the_page_says_what_the_tool_says():
    if not triton_version().startswith("3.6."):
        pytest.skip("the page is about Triton 3.6")
    done = judge("--check")
    assert done.returncode == 0, (
        "PYTHONPATH=build/triton benchmarks/kernels/triton/judge.py --write\n"
        + done.stdout + done.stderr[-3000:])


def test_other_versions_are_understood_as_well():
    if triton_version().startswith("3.6."):
        pytest.skip("Triton 3.6 has a page of its own")
    done = judge("--bounds")
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
