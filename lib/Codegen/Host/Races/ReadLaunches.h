//===- ReadLaunches.h - How a module launches a kernel ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Grid, block and arguments of each launch of a kernel, as far as the host
// program's constants say, without the analysis: what runs here judges it.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_RACES_READLAUNCHES_H
#define SWIZZLE_LIB_CODEGEN_HOST_RACES_READLAUNCHES_H

#include "swizzle/Codegen/Host/FindRaces.h"

namespace swizzle::host {

/// The launches of `kernel` as options to run it with, in the order of the
/// module; one, of the sizes in `options`, if there is no launch. Fails if a
/// launch, the kernel's attributes and the options contradict each other, or
/// with an `UncheckedError` if it is not seen which memory is passed.
llvm::Expected<std::vector<HostOptions>>
readLaunches(mlir::FunctionOpInterface kernel, const RaceOptions &options);

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_RACES_READLAUNCHES_H
