//===- WriteReport.h - The report of one module -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Option `report` names a file, or a folder for the reports of a whole build.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_LLVMPASS_WRITEREPORT_H
#define SWIZZLE_LIB_LLVMPASS_WRITEREPORT_H

#include "swizzle/LLVMPass/RemapModule.h"

namespace swizzle::llvmpass {

/// Writes what was decided in `module` to `report`, a file or a folder. What
/// goes wrong is an error of the compilation.
void writeReport(llvm::Module &module, const ModuleOutcome &outcome,
                 llvm::StringRef report);

} // namespace swizzle::llvmpass

#endif // SWIZZLE_LIB_LLVMPASS_WRITEREPORT_H
