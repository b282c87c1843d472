# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: ignore-errors
"""A GPU that is not there: Triton compiles for it, and launches are written down.

    from offline import pretend
    launches = pretend("sm_90")      # before the library is imported
    library.attention(...)           # with tensors of the CPU, which nothing fills
    launches.write(folder)           # KERNEL-HASH.ll and .json of each launch

Any library of kernels in Triton can so be judged, planned for and made into bundles
(linear_attention.py) without a GPU. Of several configurations of a kernel, the one in the
middle of the list is taken. Needs PyTorch and Triton.
"""
from __future__ import annotations

import contextlib
import hashlib
import json
import pathlib
import re
import sys
import types

import torch
from torch.overrides import TorchFunctionMode
from triton.backends.compiler import GPUTarget
from triton.runtime import autotuner, driver, jit

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python"))

from swizzle.triton import patching  # noqa: E402
from swizzle.triton.assembling import question_of, why_not  # noqa: E402
from swizzle.triton.settings import Settings  # noqa: E402

HARDWARE = pathlib.Path(__file__).resolve().parents[3] / "hardware"
#: Each with the chip that libraries are told of when they ask before they choose a kernel.
TARGETS = {"sm_90": (GPUTarget("cuda", 90, 32), "h200"),
           "gfx942": (GPUTarget("hip", "gfx942", 64), "mi300x")}
#: What the driver keeps of a workgroup's memory.
RESERVED_BYTES = {"cuda": 1024, "hip": 0}


class Launches:
    """What was launched, each kernel on each grid and with each size once."""

    def __init__(self, most_of_one=3):
        self.known = {}
        self.count = {}
        self.most_of_one = most_of_one

    def add(self, function, kernel, grid, arguments):
        question = question_of(kernel, grid, arguments)
        name = function.fn.__name__
        # Where the source lies is of no account.
        code = re.sub(r", !dbg !\d+|^!.*\n", "", question.llir, flags=re.M)
        key = hashlib.sha256(f"{code}{grid}{question.args}".encode()).hexdigest()[:10]
        if f"{name}-{key}" in self.known or self.count.get(name, 0) == self.most_of_one:
            return
        self.count[name] = self.count.get(name, 0) + 1
        kinds = [str(kind) for kind in kernel.src.signature.values()]
        self.known[f"{name}-{key}"] = question.llir, {
            "kernel": kernel.metadata.name, "grid": list(grid),
            "threads": kernel.metadata.num_warps * driver.active.get_current_target().warp_size,
            "workgroup_bytes": kernel.metadata.shared,
            "arguments": [[kind, described(value)] for kind, value in zip(kinds, arguments)
                          if kind != "constexpr"],
            "why_not": why_not(kernel), "options": patching.options_text(question, Settings())}

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, (llir, told) in self.known.items():
            (folder / f"{name}.ll").write_text(llir)
            (folder / f"{name}.json").write_text(json.dumps(told, indent=1) + "\n")


def registers_of(binary):
    """Of a thread, as a cubin's attributes have them (EIATTR_REGCOUNT); 0 of other binaries."""
    counts = re.findall(rb"\x04\x2f\x08\x00....(....)", binary, re.S)
    return max((int.from_bytes(count, "little") for count in counts), default=0)


def described(value):
    """An argument: a number, or the type of a tensor's elements and its bytes."""
    if isinstance(value, torch.Tensor):
        return {"type": str(value.dtype).removeprefix("torch."),
                "bytes": value.untyped_storage().nbytes()
                - value.storage_offset() * value.element_size()}
    return value if isinstance(value, (bool, int, float)) else None


class OnTheCPU(TorchFunctionMode):
    """Tensors lie in memory of the host, and what would be random is not filled."""

    def __torch_function__(self, function, kinds, args=(), kwargs=None):
        def is_gpu(value):
            return (isinstance(value, str) and value.startswith(("cuda", "hip"))
                    or isinstance(value, torch.device) and value.type == "cuda")

        kwargs = dict(kwargs or {})
        name = getattr(function, "__name__", "")
        if name == "cuda":
            return args[0]
        if is_gpu(kwargs.get("device")) or isinstance(kwargs.get("device"), int):
            kwargs["device"] = "cpu"
        if function is not torch.device:
            args = tuple("cpu" if is_gpu(one) else one for one in args)
        if name in ("rand", "randn", "rand_like", "randn_like"):
            kwargs.pop("generator", None)
            function = torch.empty_like if name.endswith("_like") else torch.empty
        return function(*args, **kwargs)


def pretend(target):
    """From now on Triton compiles for `target`; the launches."""
    gpu, name = TARGETS[target]
    chip = {key: one["value"] for key, one in
            json.loads((HARDWARE / f"{name}.json").read_text()).items()
            if isinstance(one, dict) and "value" in one}
    units = chip["num_xcds"] * chip["cus_per_xcd"]
    memory = chip["lds_bytes"] - RESERVED_BYTES[gpu.backend]
    name = ("NVIDIA " if gpu.backend == "cuda" else "AMD Instinct ") + name.upper()
    launches, last = Launches(), []
    properties = {"max_shared_mem": memory, "multiprocessor_count": units,
                  "max_num_regs": 65536, "warpSize": gpu.warp_size, "sm_clock_rate": 1980000,
                  "mem_clock_rate": 1, "mem_bus_width": 1}
    device = types.SimpleNamespace(
        name=name, major=9, minor=0 if gpu.backend == "cuda" else 4, warp_size=gpu.warp_size,
        multi_processor_count=units, total_memory=1 << 37, L2_cache_size=50 << 20,
        shared_memory_per_block=49152, shared_memory_per_block_optin=memory,
        gcnArchName="gfx942")

    class Launcher:
        def __init__(self, *_):
            pass

        def __call__(self, x, y, z, *rest):
            last[:] = [(x, y, z), rest]

    utils = types.SimpleNamespace(
        get_device_properties=lambda _: properties,
        load_binary=lambda _, binary, *__: (1, 1, registers_of(binary), 0, 1024))
    driver.set_active(types.SimpleNamespace(
        utils=utils, launcher_cls=Launcher, get_current_target=lambda: gpu,
        get_current_device=lambda: 0, set_current_device=lambda _: None,
        get_current_stream=lambda *_: 0, get_device_interface=lambda: torch.cuda,
        get_active_torch_device=lambda: torch.device("cpu"),
        get_device_capability=lambda *_: (device.major, device.minor),
        map_python_to_cpp_type=lambda kind: kind,
        get_benchmarker=lambda: lambda call, **_: (call(), [1.0, 1.0, 1.0])[1]))
    for answer, names in ((True, "is_available is_bf16_supported"), (1, "device_count"),
                          (0, "current_device max_memory_allocated"), (name, "get_device_name"),
                          (device, "get_device_properties"),
                          ((device.major, device.minor), "get_device_capability"),
                          (False, "is_current_stream_capturing"),
                          (None, "synchronize set_device empty_cache manual_seed")):
        for one in names.split():
            setattr(torch.cuda, one, lambda *_, _answer=answer, **__: _answer)
    torch.cuda.device = lambda *_: contextlib.nullcontext()
    torch.cuda.current_stream = lambda *_: types.SimpleNamespace(cuda_stream=0)
    OnTheCPU().__enter__()

    run, tune = jit.JITFunction.run, autotuner.Autotuner.run

    def run_and_note(self, *args, grid, warmup, **kwargs):
        last.clear()
        kernel = run(self, *args, grid=grid, warmup=warmup, **kwargs)
        if last and kernel is not None and 0 not in last[0]:
            launches.add(self, kernel, last[0], last[1][-len(kernel.src.signature):])
        return kernel

    def take_one(self, *args, **kwargs):
        if len(self.configs) > 1:
            self.configs = [self.configs[len(self.configs) // 2]]
        return tune(self, *args, **kwargs)

    jit.JITFunction.run, autotuner.Autotuner.run = run_and_note, take_one
    return launches
