# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Another order of workgroups for every Triton kernel, proved, without a change to it.

    import swizzle.triton
    swizzle.triton.install()

From then on each kernel is looked at when it is launched on a grid that it was not
launched on before. The tool swizzle-llvm reads its LLVM IR, plans an order for that
grid, proves it and patches the IR; Triton's own later stages make a binary of it, which
is launched in place of the original. Whatever fails on the way: Triton's own kernel
runs, and `report()` says why.

    for one in swizzle.triton.report():
        print(one.kernel, one.grid, one.outcome, one.reason)
    with swizzle.triton.disabled():
        kernel[grid](a, b, c)      # as Triton alone would run it

Works with Triton 3.6 and 3.9; docs/triton.md says more.
"""
from .hooks import disabled, install, is_installed, uninstall
from .report import Launch, Timing, report
from .settings import Settings

__all__ = ["Launch", "Settings", "Timing", "disabled", "install", "is_installed", "report",
           "uninstall"]
