# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Notes the checkout that the package is installed from, so that an installed package
finds the tools that were built there. All else is in pyproject.toml."""
import pathlib

from setuptools import setup
from setuptools.command.build_py import build_py

CHECKOUT = pathlib.Path(__file__).resolve().parents[1]


class BuildAndNoteCheckout(build_py):
    def run(self) -> None:
        super().run()
        if (CHECKOUT / "CMakePresets.json").exists():
            note = pathlib.Path(self.build_lib) / "swizzle" / "checkout.txt"
            note.write_text(f"{CHECKOUT}\n", encoding="utf-8")


setup(cmdclass={"build_py": BuildAndNoteCheckout})
