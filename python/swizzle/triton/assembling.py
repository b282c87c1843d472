# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From patched LLVM IR to a kernel that can be launched, by Triton's own later stages.

The stages behind "llir" run again ("ptx" and "cubin", or "amdgcn" and "hsaco"), with the
options and the metadata of the kernel as it was compiled. Triton's cache is not asked
and gets nothing: what is made lies in a store of ours, under a hash of the IR.
"""
from __future__ import annotations

import copy
from typing import Any, Sequence

from .arguments import sizes_of
from .patching import Question, tool_version
from .store import Store, key_of

__all__ = ["assemble", "question_of", "why_not"]

#: Triton's own IR, by the names of the stages behind which it is kept; kernels in Gluon have
#: no "ttir".
TRITON_IR = ("source", "ttir", "ttgir")


def count_of(owner: Any, name: str) -> int:
    """A count that may be unknown, then 0."""
    value = getattr(owner, name, None)
    return value if isinstance(value, int) and value > 0 else 0


def question_of(kernel: Any, grid: tuple[int, int, int],
                arguments: Sequence[Any] = ()) -> Question:
    """What the tool is asked about `kernel`, a CompiledKernel."""
    target = kernel.metadata.target
    name = f"sm_{target.arch}" if target.backend == "cuda" else str(target.arch).split(":")[0]
    return Question(str(kernel.asm["llir"]), name, grid, sizes_of(kernel, arguments),
                    # Known once the kernel is loaded onto a device.
                    registers=count_of(kernel, "n_regs"),
                    workgroup_bytes=count_of(kernel.metadata, "shared"))


def why_not(kernel: Any) -> tuple[str, str] | None:
    """What only Triton knows of a kernel and rules another order out: a code and a
    reason."""
    if "llir" not in kernel.asm:
        return ("no-ir", "Triton kept no LLVM IR of the kernel, only its binary; unset "
                         "TRITON_STORE_BINARY_ONLY and compile it anew")
    if not any(name in kernel.asm for name in TRITON_IR[1:]):
        return ("no-ir", "the kernel was not compiled from Triton's own IR, in which "
                         "volatile loads are looked for")
    if getattr(kernel.metadata, "launch_cooperative_grid", False):
        return ("cooperative", "it is launched cooperatively: its workgroups may wait for "
                               "each other")
    # The backend for AMD drops this between here and LLVM IR.
    if any("isVolatile = true" in kernel.asm.get(name, "") for name in TRITON_IR):
        return ("volatile", "a load is volatile: it may wait for another workgroup")
    return None


def assemble(kernel: Any, llir: str, store: Store, timeout: float | None = None) -> Any:
    """A copy of `kernel` with the code of `llir`, not yet loaded onto a device. The tool
    gets `timeout` seconds to say which version it is."""
    from triton.backends.compiler import Language
    from triton.compiler.compiler import AsmDict, make_backend

    # What was a tuple came out of Triton's cache as a list.
    metadata = {name: as_tuples(value) for name, value in kernel.metadata._asdict().items()}
    target = metadata["target"]
    backend = make_backend(target)
    options = backend.parse_options(dict(metadata))
    stages: dict[str, Any] = {}
    backend.add_stages(stages, options, Language.TRITON)
    names = list(stages)
    later = names[names.index("llir") + 1:]
    key = key_of(llir, kernel.hash, target, tool_version(timeout))
    asm: dict[str, Any] = {**kernel.asm, "llir": llir}
    for previous, name in zip(names[names.index("llir"):], later):
        data = store.get(key, name)
        if data is None:
            made = run_stage(stages[name], asm[previous], metadata)
            data = made if isinstance(made, bytes) else str(made).encode()
            store.put(key, name, data)
        asm[name] = data if name == backend.binary_ext else data.decode()
    result = copy.copy(kernel)
    result.__dict__.pop("_swizzle", None)
    result.asm = AsmDict(asm)
    result.kernel = asm[backend.binary_ext]
    result.hash = key
    result.module = result.function = result._run = None
    return result


def as_tuples(value: Any) -> Any:
    return tuple(map(as_tuples, value)) if isinstance(value, list) else value


def run_stage(stage: Any, source: Any, metadata: dict[str, Any]) -> Any:
    """One stage; LLVM's targets are not there yet if the kernel came from a cache."""
    from triton._C.libtriton import llvm
    llvm.init_targets()
    return stage(source, metadata)
