//===- Remarks.h - What was decided, in LLVM's remarks --------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The remarks of swizzle/Planning through LLVM's machinery: -Rpass=swizzle,
// -Rpass-missed, -Rpass-analysis, and YAML by -fsave-optimization-record.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_LLVMPASS_REMARKS_H
#define SWIZZLE_LIB_LLVMPASS_REMARKS_H

#include "PlanFunctions.h"

#include "llvm/IR/DiagnosticInfo.h"

namespace swizzle::llvmpass {

/// Emits all remarks about one kernel.
void emitRemarks(const PlannedFunction &planned);

/// Emits errors and warnings about one kernel. False: the compilation fails.
bool emitDiagnostics(const PlannedFunction &planned);

/// Emits what concerns the whole module.
void diagnose(llvm::Module &module, llvm::DiagnosticSeverity severity,
              const llvm::Twine &text);

} // namespace swizzle::llvmpass

#endif // SWIZZLE_LIB_LLVMPASS_REMARKS_H
