//===- Passes.td - Passes of the swizzle project -----------*- tablegen -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two passes and the pipeline's options. docs/reference/Passes.md is
// generated from here.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TRANSFORMS_PASSES_TD
#define SWIZZLE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SwizzlePlanPass : Pass<"swizzle-plan", "::mlir::ModuleOp"> {
  let summary = "Find, prove and record a workgroup remap for each GPU kernel";
  let description = [{
    Analyses each kernel of the module, asks the agent for a remap formula (or
    takes the explicit one), proves it a permutation, and records it as a
    `swizzle.remap` op at the kernel's entry, through which every reading of a
    workgroup id then goes. Kernels that are refused or not worth remapping stay
    as they are.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"", "Chip to plan for, a name from the hardware database, or `native`">,
    Option<"hardwareFile", "hardware-file", "std::string", "", "JSON description of the chip">,
    Option<"formula", "formula", "std::string", "", "Explicit formula: text, or `@name` from the catalogue">,
    Option<"formulaFile", "formula-file", "std::string", "", "Explicit formula from a file, `-` for standard input">,
    Option<"agent", "agent", "std::string", "\"planner\"", "Who proposes the formula">,
    Option<"grid", "grid", "std::string", "", "Launch grid to assume where the IR does not say, e.g. 64x64">,
    Option<"block", "block", "std::string", "", "Workgroup size to assume where the IR does not say, e.g. 256">,
    Option<"strict", "strict", "bool", "false", "Refuse kernels whose independence rests on an assumption">,
    Option<"compose", "compose", "bool", "false", "Go on from a remap that a kernel already carries">,
    Option<"onFailure", "on-failure", "std::string", "\"keep\"", "When the agent fails: keep, planner or error">,
    Option<"report", "report", "std::string", "", "Write a JSON report to this file">,
  ];
  let dependentDialects = ["::swizzle::SwizzleDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::arith::ArithDialect"];
}

def SwizzleMaterializePass : Pass<"swizzle-materialize", "::mlir::ModuleOp"> {
  let summary = "Lower swizzle.remap to the cheapest arithmetic that does it";
  let description = [{
    Replaces each `swizzle.remap` by `arith` operations: narrow integers, shifts
    and masks for powers of two, shared sub-expressions, ranges attached. On a
    known grid the emitted operations are evaluated for every workgroup id and
    compared with the formula before they stand.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::gpu::GPUDialect"];
}

#endif // SWIZZLE_TRANSFORMS_PASSES_TD
