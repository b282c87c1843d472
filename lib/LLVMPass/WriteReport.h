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

/// The file of this module's report; a folder that ends with a slash is made.
/// Fails if it cannot be written, or is a file that is read.
llvm::Expected<std::string> prepareReport(const llvm::Module &module,
                                          const PassSettings &settings);

/// Writes what was decided in `module` to `path`. What goes wrong is an error
/// of the compilation.
void writeReport(llvm::Module &module, const ModuleOutcome &outcome,
                 llvm::StringRef path);

} // namespace swizzle::llvmpass

#endif // SWIZZLE_LIB_LLVMPASS_WRITEREPORT_H
