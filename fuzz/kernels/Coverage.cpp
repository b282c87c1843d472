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

#include "Read/Operations/Rows.h"
#include "swizzle/Lowering/LowerKernel.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace mlir;

namespace swizzle::fuzz {

using namespace analysis;

/// All refusals that docs/legality.md lists.
static constexpr const char *kRefusals[] = {
#define REFUSAL(code) code,
#include "Refusals.def"
};

/// The names in all rows, in the order in which they are looked up.
static SmallVector<StringRef> allPatterns() {
  SmallVector<StringRef> patterns;
  for (llvm::ArrayRef<OperationRow> table :
       {llvmRows(), vendorRows(), functionRows()})
    for (const OperationRow &row : table)
      row.pattern.split(patterns, ' ');
  return patterns;
}

static bool matches(StringRef pattern, StringRef name) {
  return pattern.consume_back("*") ? name.starts_with(pattern)
                                   : name == pattern;
}

void Coverage::add(FunctionOpInterface kernel) {
  llvm::Expected<LoweredKernel> lowered = lowerKernel(kernel, {});
  if (!lowered)
    return llvm::consumeError(lowered.takeError());
  std::set<std::string> met;
  SmallVector<StringRef> patterns = allPatterns();
  lowered->holder->walk([&](Operation *op) {
    std::string name = canonicalName(op);
    auto pattern = llvm::find_if(
        patterns, [&](StringRef one) { return matches(one, name); });
    if (pattern != patterns.end())
      met.insert(pattern->str());
  });
  for (const std::string &pattern : met)
    ++rows[pattern];
}

std::vector<std::string> Coverage::neverMet() const {
  std::vector<std::string> names;
  for (StringRef pattern : allPatterns())
    if (!rows.count(pattern.str()))
      names.push_back(pattern.str());
  return names;
}

void Coverage::print(llvm::raw_ostream &os) const {
  std::string never;
  for (const std::string &pattern : neverMet())
    never += "  " + pattern + "\n";
  os << "names in the table of operations: " << rows.size() << " of "
     << allPatterns().size() << " met\n";
  for (const auto &[pattern, kernels] : rows)
    os << llvm::formatv("  {0,7} {1}\n", kernels, pattern);
  os << "names never met:\n" << never << "refusals never met:";
  for (const char *code : kRefusals)
    if (!refusals.count(code))
      os << ' ' << code;
  os << '\n';
}

} // namespace swizzle::fuzz
