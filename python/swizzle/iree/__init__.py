# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Another order of workgroups for what IREE compiles, proved, without a change to it.

    import swizzle.iree
    for one in swizzle.iree.compile("model.mlir", "model.vmfb", target="gfx942"):
        print(one.kernel, one.grid, one.outcome, one.formula or one.reason)

IREE compiles the model and writes down the LLVM IR of its executables; the tool
swizzle-llvm plans an order for each of their kernels, proves it and patches the IR; what
is patched becomes an object again, which IREE takes in place of its own. The same from a
shell: `python3 -m swizzle.iree model.mlir -o model.vmfb --target=gfx942`.

Works with iree-base-compiler 3.10 and 3.13; docs/iree.md says more.
"""
from .comparing import Comparison, compare
from .compiler import IreeError
from .patching import Kernel, compile

__all__ = ["Comparison", "IreeError", "Kernel", "compare", "compile"]
