//===- UndoRemap.h - Take a materialised remap out again --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic of a remap is made to be cheap, not to be read: bit fields and
// products with constants are no affine map of an id. To plan a kernel anew
// that carries one, it is taken out first.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TRANSFORMS_UNDOREMAP_H
#define SWIZZLE_LIB_TRANSFORMS_UNDOREMAP_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/Formula/Formula.h"
#include <optional>

namespace swizzle {

/// Makes `kernel`, which carries one remap of ours on a grid that its attribute
/// says, what it was before, and returns what it carried. nullopt if that is
/// not possible; the kernel may have changed then.
std::optional<std::pair<Formula, Environment>>
undoRemap(mlir::FunctionOpInterface kernel);

} // namespace swizzle

#endif // SWIZZLE_LIB_TRANSFORMS_UNDOREMAP_H
