# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts launchers where Triton and Inductor launch kernels, and takes them away again.

* `CompiledKernel.run` is the one way to a launch of `kernel[grid](...)`, of autotuned
  kernels and of Inductor's generated launchers, which take it when they are made.
* Inductor has a launcher of its own beside it, for CUDA, that loads binaries itself; it is
  switched off.
* While `triton.autotune` and Inductor time configurations, kernels run in their own order:
  only the configuration that is chosen is planned.
"""
from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
from typing import Any, Callable, Iterator

from .launching import Launcher, switch
from .patching import refuse_what_makes_no_sense
from .planning import Planner
from .report import log
from .settings import Settings

__all__ = ["disabled", "install", "is_installed", "uninstall"]

#: Inductor's switch, by the names of several versions.
STATIC_LAUNCHERS = ("use_static_cuda_launcher", "use_static_triton_launcher")
#: Where Inductor times configurations.
HEURISTICS = "torch._inductor.runtime.triton_heuristics"


class Hooks:
    """What was replaced, and how it was."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.undo: list[Callable[[], Any]] = []
        self.tuner: Any = None  #: Inductor's, once it is hooked

    def replace(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        old = owner.__dict__[name]
        setattr(owner, name, make(old))
        self.undo.append(lambda: setattr(owner, name, old))


hooks = Hooks()


def launcher_property(old: property) -> property:
    def run(self: Any) -> Any:
        launcher = self.__dict__.get("_swizzle")
        if launcher is None:
            hook_tuner()
            assert old.fget is not None
            launcher = self._swizzle = Launcher(self, old.fget(self))
        return launcher

    return property(run)


def in_own_order(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        with disabled():
            return method(*args, **kwargs)

    return wrapped


def hook_tuner() -> None:
    """Has Inductor time configurations in the kernel's own order. It may be imported at any
    time, and makes launchers before it times them: this is called when one is made."""
    tuner = getattr(sys.modules.get(HEURISTICS), "CachingAutotuner", None)
    if tuner is hooks.tuner or tuner is None:
        return
    with hooks.lock:
        if hooks.undo and tuner is not hooks.tuner and "bench" in vars(tuner):
            hooks.replace(tuner, "bench", in_own_order)
            hooks.tuner = tuner


def forget(variable: str) -> None:
    """Unless somebody else has set it meanwhile."""
    if os.environ.get(variable) == "0":
        del os.environ[variable]


def switch_off_static_launchers() -> None:
    """In Inductor, whether it is loaded already or not."""
    config = sys.modules.get("torch._inductor.config")
    for name in STATIC_LAUNCHERS:
        variable = "TORCHINDUCTOR_" + name.upper()
        if variable not in os.environ:
            os.environ[variable] = "0"
            hooks.undo.append(functools.partial(forget, variable))
        if old := getattr(config, name, None):
            setattr(config, name, False)
            hooks.undo.append(functools.partial(setattr, config, name, old))


def install(planning: str = "planner", **settings: Any) -> None:
    """From now on, kernels are launched in the order that is best for each grid. The
    arguments are those of `Settings`. A second call replaces the settings; every kernel
    is then decided about anew."""
    from triton.compiler.compiler import CompiledKernel
    from triton.runtime.autotuner import Autotuner
    asked = Settings(planning=planning, **settings)
    refuse_what_makes_no_sense(asked)
    planner = Planner(asked)
    with hooks.lock:
        if not hooks.undo:
            hooks.replace(CompiledKernel, "run", launcher_property)
            hooks.replace(Autotuner, "_bench", in_own_order)
            switch_off_static_launchers()
        log.clear()
        switch.planner = planner
    hook_tuner()


def uninstall() -> None:
    """Launches are Triton's own again. Launchers that Inductor made meanwhile stay and do
    nothing."""
    with hooks.lock:
        switch.planner = hooks.tuner = None
        while hooks.undo:
            hooks.undo.pop()()


def is_installed() -> bool:
    return switch.planner is not None


@contextlib.contextmanager
def disabled() -> Iterator[None]:
    """Within, every kernel runs in its own order, in all threads."""
    with hooks.lock:
        switch.off += 1
    try:
        yield
    finally:
        with hooks.lock:
            switch.off -= 1
