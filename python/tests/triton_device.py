# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A device that is not there, for Triton: kernels are compiled in full, and a launch only
notes which binary it was and on which grid.
"""
import hashlib
import itertools
import types

import triton
from triton.backends.compiler import GPUTarget
from triton.runtime.driver import driver

TARGETS = {"sm_90": GPUTarget("cuda", 90, 32), "gfx942": GPUTarget("hip", "gfx942", 64)}


class Tensor:
    """As much of a tensor as Triton looks at."""

    addresses = itertools.count(1 << 20, 1 << 40)

    def __init__(self, dtype="float16"):
        self.dtype, self.address = dtype, next(Tensor.addresses)

    def data_ptr(self):
        return self.address


class Function(str):
    """The name of a binary, and the module that it was loaded as."""

    modules = itertools.count()  #: one device's are told from another's
    module: int


class Device:
    """Triton's driver, and a list of launches: (grid, name of the binary). What is launched
    has to be loaded still; Triton unloads what nobody holds from 3.9 on."""

    def __init__(self, target):
        self.target, self.launches, self.unloaded = TARGETS[target], [], set()
        device = self

        class Launcher:
            def __init__(self, source, metadata):
                pass

            def __call__(self, x, y, z, stream, function, packed, metadata, enter, leave,
                         *arguments):
                assert getattr(function, "module", None) not in device.unloaded
                device.launches.append(((x, y, z), function))

        self.launcher_cls = Launcher
        self.utils = types.SimpleNamespace(
            get_device_properties=lambda number: {"max_shared_mem": 1 << 20},
            load_binary=self.load, unload_module=self.unloaded.add)

    def load(self, name, binary, shared, number):
        function = Function(hashlib.sha256(binary).hexdigest()[:8])
        function.module = next(Function.modules)
        return function.module, function, 32, 0, 1024

    def get_current_target(self):
        return self.target

    def get_current_device(self):
        return 0

    def get_current_stream(self, number):
        return 0

    def functions(self, grid):
        """The binaries that were launched on a grid, in order."""
        return [function for one, function in self.launches if one == grid]


def use(target):
    """Makes a new device the one that kernels run on."""
    # Asks PyTorch how large a tensor is.
    triton.knobs.amd.use_buffer_ops = False
    device = Device(target)
    driver.set_active(device)
    return device


class Clock:
    """A timer for which every launch takes as long as `costs` says for its binary."""

    def __init__(self, device, costs):
        self.device_, self.costs = device, costs
        self.capturing = False

    def mark(self, stream):
        return len(self.device_.launches)

    def milliseconds(self, start, end):
        return sum(self.costs(function) for _, function in self.device_.launches[start:end])

    def is_capturing(self):
        return self.capturing

    def device(self):
        return "a device that is not there"
