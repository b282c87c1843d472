//===- Finals.cpp - The top few, once more --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All or nothing: an attempt that could not be confirmed might be the best, and
// half of the figures in more detail than the rest cannot tell.
//
//===----------------------------------------------------------------------===//

#include "Finals.h"

#include "History/Duplicates.h"

using namespace llvm;

namespace swizzle::tuning {

static Error confirmAll(Standings &standings, Evaluator &evaluator,
                        size_t finalists) {
  auto confirm = [&](const Variant &variant) -> Error {
    Expected<Metrics> metrics = evaluator.measure(variant, Fidelity::Confirm);
    if (!metrics)
      return metrics.takeError();
    standings.confirm(variant.attempt, std::move(*metrics));
    return Error::success();
  };
  std::vector<const Standings::Entry *> open = standings.open();
  Variant asItIs;
  asItIs.key = kIdentityKey.str();
  if (Error error = confirm(asItIs))
    return error;
  for (const Standings::Entry *one : ArrayRef(open).take_front(finalists))
    if (Error error = confirm(one->variant))
      return error;
  while (const Standings::Entry *one = standings.contender())
    if (Error error = confirm(one->variant))
      return error;
  return Error::success();
}

std::string playFinals(Standings &standings, Evaluator &evaluator,
                       const Metrics &baseline, size_t finalists) {
  if (standings.open().empty() || baseline.noise == 0.0)
    return "";
  Error error = confirmAll(standings, evaluator, finalists);
  if (!error)
    return "";
  standings.forgetConfirmed();
  return "the best few were not looked at once more, in finer detail: " +
         toString(std::move(error));
}

} // namespace swizzle::tuning
