//===- ContextRecord.cpp - A context in a tuning database -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ContextRecord.h.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Core/ContextRecord.h"

#include "swizzle/Hardware/ChipHash.h"
#include "swizzle/Kernel/Signature.h"

using namespace llvm;

namespace swizzle {

DatabaseKey databaseKeyOf(const AgentContext &context) {
  return {context.kernelHash, toString(context.environment.grid),
          context.hardware.name, SWIZZLE_VERSION,
          hashUnlessBuiltIn(context.hardware)};
}

DatabaseRecord makeDatabaseRecord(const AgentContext &context,
                                  const Attempt *best) {
  DatabaseRecord record;
  record.key = databaseKeyOf(context);
  record.kernel = context.kernel;
  record.signature = accessSignature(context.model);
  record.objective = context.objective;
  const Metrics *measurement = &context.baseline;
  if (best) {
    record.formula = best->formula;
    record.params = best->params;
    record.agent = best->agent;
    if (best->measurement)
      measurement = &*best->measurement;
  }
  record.origin = measurement->from.origin;
  record.device = measurement->from.device;
  record.baseline = figuresOf(context.baseline);
  record.best = figuresOf(*measurement);
  return record;
}

std::vector<NearRecord> toNearRecords(ArrayRef<const DatabaseRecord *> records,
                                      const DatabaseKey &key) {
  std::vector<NearRecord> result;
  for (const DatabaseRecord *record : records) {
    const DatabaseKey &other = record->key;
    bool isNamesake = other.chip == key.chip && other.chipHash != key.chipHash;
    result.push_back(
        {record->kernel, other.grid,
         other.chip + (isNamesake ? " of another description" : ""),
         record->formula, record->params, record->gain(),
         std::string(toString(record->origin))});
  }
  return result;
}

} // namespace swizzle
