# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Swizzle from Python: check and draw formulas, plan, simulate and tune kernels, let
Python callables propose, and read what the tools write.

    >>> import swizzle
    >>> swizzle.check("return x // 2, y", grid=(8, 4)).counterexample
    'workgroups (0,0) and (1,0) both map to (0,0); (4,0) is never reached'

Only the standard library is needed; plots want the extra `swizzle[plot]`.
"""
from .agents import AgentFunction, Proposal, Request, serving
from .formula import FormulaError, Verdict, catalogue, check, draw, table
from .kernel import Plan, Simulation, plan, simulate
from .records import (KernelReport, Level, Metrics, SchemaError, read_database, read_journal,
                      read_report, read_rows, write_csv)
from .tools import ToolError, find_tool, run_tool
from .tuning import Attempt, Measured, Tuning, TuningError, TuningRun, read_tuning, tune

__all__ = [
    "AgentFunction", "Attempt", "FormulaError", "KernelReport", "Level", "Measured",
    "Metrics", "Plan", "Proposal", "Request", "SchemaError", "Simulation", "ToolError",
    "Tuning", "TuningError", "TuningRun", "Verdict", "catalogue", "check", "draw",
    "find_tool", "plan", "read_database", "read_journal", "read_report", "read_rows",
    "read_tuning", "run_tool", "serving", "simulate", "table", "tune", "write_csv",
]
__version__ = "0.1.0"
