# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pip install ./python` gives a package that finds the tools of its checkout, or says
in one line how to get them."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

PYTHON = pathlib.Path(__file__).resolve().parents[1]
FIND = "import swizzle; print(swizzle.find_tool('swizzle-opt'))"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A checkout with nothing but the package, and where that was installed to."""
    pytest.importorskip("setuptools", reason="setuptools is not installed")
    root = tmp_path_factory.mktemp("install")
    checkout = root / "checkout"
    shutil.copytree(PYTHON, checkout / "python",
                    ignore=shutil.ignore_patterns("tests", "__pycache__"))
    shutil.copy(PYTHON.parent / "CMakePresets.json", checkout)
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps",
         "--no-build-isolation", "--target", root / "site", checkout / "python"],
        capture_output=True, text=True)
    for missing in ("No module named pip", "invalid command 'bdist_wheel'"):
        if missing in done.stderr:
            pytest.skip(f"pip cannot build packages here: {missing} (pip install wheel)")
    assert done.returncode == 0, done.stderr
    return checkout, root / "site"


def find(site, **environment):
    clean = {name: value for name, value in os.environ.items()
             if name not in ("SWIZZLE_BIN", "PYTHONPATH")}
    return subprocess.run([sys.executable, "-c", FIND], cwd=site, capture_output=True, text=True,
                          env={**clean, "PATH": "/usr/bin:/bin", "PYTHONPATH": str(site),
                               **environment})


def test_the_tools_of_the_checkout_are_found(installed):
    checkout, site = installed
    program = checkout / "build" / "dev" / "bin" / "swizzle-opt"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find(site).stdout.strip() == str(program)
    elsewhere = checkout / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(program, elsewhere)
    assert find(site, SWIZZLE_BIN=str(elsewhere)).stdout.strip() == str(elsewhere / "swizzle-opt")
    program.unlink()


def test_without_tools_one_line_says_how_to_get_them(installed):
    checkout, site = installed
    done = find(site)
    assert done.returncode == 1
    said = done.stderr.strip().splitlines()[-1]
    assert said.startswith("FileNotFoundError: swizzle-opt is neither in ")
    assert str(checkout / "build" / "dev" / "bin") in said
    command = "cmake --build --preset dev --target swizzle-opt"
    assert f"build it with scripts/demo and `{command}`" in said


def test_the_folder_that_is_named_is_the_only_one():
    done = find(PYTHON, SWIZZLE_BIN="/nonexist", PATH=os.environ["PATH"])
    assert done.returncode == 1
    assert "swizzle-opt is not in /nonexist, which SWIZZLE_BIN names" in done.stderr
