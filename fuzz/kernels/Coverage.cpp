//===- Coverage.cpp - What of the analysis random kernels reach -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file here that looks at the table of operations, to name its rows.
//
//===----------------------------------------------------------------------===//

#include "Coverage.h"

#include "Read/Operations.h"
#include "swizzle/Lowering/LowerKernel.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace mlir;

namespace swizzle::fuzz {

/// All refusals that docs/legality.md lists.
static constexpr const char *kRefusals[] = {
#define REFUSAL(code) code,
#include "Refusals.def"
};

static bool matches(StringRef pattern, StringRef name) {
  return pattern.consume_back("*") ? name.starts_with(pattern)
                                   : name == pattern;
}

void Coverage::add(FunctionOpInterface kernel) {
  llvm::Expected<LoweredKernel> lowered = lowerKernel(kernel, {});
  if (!lowered)
    return llvm::consumeError(lowered.takeError());
  std::set<std::string> met;
  lowered->holder->walk([&](Operation *op) {
    std::string name = canonicalName(op);
    for (llvm::ArrayRef<OperationRow> table :
         {llvmRows(), vendorRows(), functionRows()})
      for (const OperationRow &row : table)
        if (matches(row.pattern, name)) {
          met.insert(row.pattern.str());
          return;
        }
  });
  for (const std::string &pattern : met)
    ++rows[pattern];
}

void Coverage::print(llvm::raw_ostream &os) const {
  size_t count = 0;
  std::string never;
  for (llvm::ArrayRef<OperationRow> table :
       {llvmRows(), vendorRows(), functionRows()})
    for (const OperationRow &row : table) {
      ++count;
      auto found = rows.find(row.pattern.str());
      if (found == rows.end())
        never += "  " + row.pattern.str() + "\n";
    }
  os << "rows of the table of operations: " << rows.size() << " of " << count
     << " met\n";
  for (const auto &[pattern, kernels] : rows)
    os << llvm::formatv("  {0,7} {1}\n", kernels, pattern);
  os << "rows never met:\n" << never << "refusals never met:";
  for (const char *code : kRefusals)
    if (!refusals.count(code))
      os << ' ' << code;
  os << '\n';
}

} // namespace swizzle::fuzz
