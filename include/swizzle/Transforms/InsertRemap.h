//===- InsertRemap.h - Route a kernel's ids through a remap -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rewriting half of `swizzle-plan`, as a function.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TRANSFORMS_INSERTREMAP_H
#define SWIZZLE_TRANSFORMS_INSERTREMAP_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Support/Grid.h"

#include <optional>

namespace swizzle {

/// Puts one `swizzle.remap` at the entry of `kernel`, which `judgeKernel` has
/// accepted, and routes every reading of a workgroup id through it: those in
/// the kernel directly; those in functions that it calls through three more
/// arguments of a copy that only this kernel calls. `grid` has `kUnknownExtent`
/// where the launch decides; with `guarded` all of it is known and compared
/// with the launch at run time. Where `block` is given, any other one keeps its
/// ids; its extents that are unknown are compared with nothing.
RemapOp insertRemap(mlir::FunctionOpInterface kernel, FormulaAttr formula,
                    const Grid &grid, bool guarded,
                    std::optional<Grid> block = std::nullopt);

} // namespace swizzle

#endif // SWIZZLE_TRANSFORMS_INSERTREMAP_H
