//===- Spacing.cpp - How far apart numbers from memory are ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Spacing.h. Powers of two are taken, so that accesses of one buffer that
// reach about as far agree.
//
//===----------------------------------------------------------------------===//

#include "Spacing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace swizzle::analysis {

/// Buffers of unknown size are assumed to have two to the power of this bytes.
static constexpr unsigned kMostBytesBits = 34;

int64_t roomIn(const KernelReader &reader, uint32_t buffer) {
  int64_t bytes = reader.model.buffers[buffer].bytes;
  return bytes < 0 ? int64_t(1) << kMostBytesBits : bytes;
}

static bool isLoaded(const KernelReader &reader, const Term &term) {
  return reader.model.variables[term.variable].kind == VariableKind::Loaded;
}

/// Iterations that a back end may write out one after the other, so that the
/// next term moves by as many times what is reached before it.
static constexpr int64_t kMostUnrolled = 16;

/// How many numbers of `step` bytes each the terms of `form` go through. What
/// moves much further than all others reach, to another head or layer, begins
/// anew there.
static int64_t numbersReached(const KernelReader &reader,
                              const AffineForm &form, int64_t step) {
  std::vector<Term> terms;
  for (const Term &term : form.terms)
    if (!isLoaded(reader, term) && std::abs(term.coefficient) >= step)
      terms.push_back(term);
  llvm::sort(terms, [](const Term &a, const Term &b) {
    return std::abs(a.coefficient) < std::abs(b.coefficient);
  });
  AffineForm added;
  int64_t span = 0;
  for (const Term &term : terms) {
    if (std::abs(term.coefficient) > kMostUnrolled * (span + step))
      break;
    added = added + makeVariable(term.variable, term.coefficient);
    Interval reach = reader.domain.range(added);
    if (reach.low <= -kUnbounded || reach.high >= kUnbounded)
      return 1;
    span = reach.high - reach.low;
  }
  return span / step + 1;
}

/// The factor by which to move `numbers` numbers, `step` bytes apart, further
/// apart: `wanted`, or what there is `room` for.
static int64_t widening(int64_t wanted, int64_t numbers, int64_t step,
                        int64_t room) {
  if (room <= 0)
    return 1;
  auto fits = static_cast<uint64_t>(room / step / numbers + 1);
  return static_cast<int64_t>(std::min(
      llvm::bit_ceil(static_cast<uint64_t>(wanted)), llvm::bit_floor(fits)));
}

AffineForm keepApart(const KernelReader &reader, const AffineForm &form,
                     int64_t most) {
  AffineForm apart = form;
  for (Term &term : apart.terms) {
    int64_t step = term.coefficient;
    if (!isLoaded(reader, term) || step <= 0)
      continue;
    int64_t numbers = reader.domain.rangeOf(term.variable).high;
    // Not of what is left of a number, which has bounds of its own.
    bool isWhole = llvm::none_of(form.terms, [&](const Term &other) {
      return other.variable != term.variable &&
             reader.domain.dependsOn(makeVariable(other.variable),
                                     term.variable);
    });
    if (isWhole && numbers > 0)
      term.coefficient *=
          widening(numbersReached(reader, form, step), numbers, step,
                   most - reader.domain.range(apart).high);
  }
  return apart;
}

AffineForm lengthen(const KernelReader &reader, AffineForm form,
                    const Rows &rows, int64_t most) {
  const AffineForm whole = rows.row * rows.length; // of numbers
  const Term &first = whole.terms.front();
  auto found = llvm::find_if(
      form.terms, [&](const Term &t) { return t.variable == first.variable; });
  int64_t count = reader.domain.range(rows.row).high;
  if (found == form.terms.end() || count <= 0 ||
      found->coefficient % first.coefficient != 0 ||
      found->coefficient / first.coefficient <= 0)
    return form;
  int64_t step = found->coefficient / first.coefficient;
  int64_t numbers = numbersReached(reader, form - whole * step, step);
  int64_t longer =
      widening((numbers - 1) / rows.length + 1, count, step * rows.length,
               most - reader.domain.range(form).high);
  return form + whole * (step * (longer - 1));
}

} // namespace swizzle::analysis
