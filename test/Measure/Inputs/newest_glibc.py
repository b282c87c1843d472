# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The newest version of glibc that symbols of `llvm-readelf --dyn-syms` ask for."""
import re
import sys

symbols = open(sys.argv[1], encoding="utf-8").read()
versions = {tuple(map(int, version.split(".")))
            for version in re.findall(r"@GLIBC_([0-9.]+)", symbols)}
assert versions, "no symbol of glibc at all"
print("glibc", ".".join(map(str, max(versions)[:2])))
