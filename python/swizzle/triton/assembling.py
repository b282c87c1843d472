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

from .patching import Question, tool_version
from .store import Store, key_of

__all__ = ["assemble", "question_of", "sizes_of", "why_not"]


def sizes_of(kernel: Any, arguments: Sequence[Any]) -> str:
    """What the tool is told of a launch's arguments: integers by their place among those
    that the binary takes, the others as "?"; nothing if they cannot be told apart."""
    signature = getattr(kernel.src, "signature", None)
    if not isinstance(signature, dict) or len(signature) != len(arguments):
        return ""
    return "+".join(
        str(value) if isinstance(value, int) and kind[:1] in "iu" else "?"
        for kind, value in zip(signature.values(), arguments) if kind != "constexpr")


def question_of(kernel: Any, grid: tuple[int, int, int],
                arguments: Sequence[Any] = ()) -> Question:
    """What the tool is asked about `kernel`, a CompiledKernel."""
    target = kernel.metadata.target
    name = f"sm_{target.arch}" if target.backend == "cuda" else str(target.arch).split(":")[0]
    return Question(str(kernel.asm["llir"]), name, grid, sizes_of(kernel, arguments))


def why_not(kernel: Any) -> tuple[str, str] | None:
    """What only Triton knows of a kernel and rules another order out: a code and a
    reason."""
    if "llir" not in kernel.asm or "ttir" not in kernel.asm:
        return ("no-ir", "Triton kept no IR of the kernel; unset TRITON_STORE_BINARY_ONLY")
    if getattr(kernel.metadata, "launch_cooperative_grid", False):
        return ("cooperative", "it is launched cooperatively: its workgroups may wait for "
                               "each other")
    # The backend for AMD drops this between here and LLVM IR.
    if "isVolatile = true" in kernel.asm["ttir"]:
        return ("volatile", "a load is volatile: it may wait for another workgroup")
    return None


def assemble(kernel: Any, llir: str, store: Store) -> Any:
    """A copy of `kernel` with the code of `llir`, not yet loaded onto a device."""
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
    key = key_of(llir, kernel.hash, target, tool_version())
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
