//===- BatchEvaluator.cpp - All values for some workgroups ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads ranges and undefined lanes off the columns of a program.
//
//===----------------------------------------------------------------------===//

#include "BatchEvaluator.h"
#include "Executor.h"

namespace swizzle::formula {

/// Runs the graph, and says what `lanes` shall.
class BatchEvaluator::Columns {
public:
  virtual ~Columns() = default;
  virtual void run(int64_t first, int64_t count) = 0;
};

template <typename T>
class BatchEvaluator::ColumnsOf : public Columns, Executor<T> {
public:
  explicit ColumnsOf(BatchEvaluator &batch)
      : Executor<T>(batch.graph, kBatch, /*withChecks=*/false), batch(batch) {
    for (Slot slot = 0; slot < batch.lanes.size(); ++slot)
      if (!isCheck(batch.graph.code[slot].op)) {
        if constexpr (sizeof(T) == 4)
          batch.lanes[slot].narrow = this->column(slot);
        else
          batch.lanes[slot].wide = this->column(slot);
      }
  }
  void run(int64_t first, int64_t count) override;

private:
  /// The lanes in which `slot` is undefined, into its mask; false if none is.
  bool findUndefined(Slot slot, int64_t count);

  BatchEvaluator &batch;
};

bool agree(const Lanes &a, const Lanes &b, int64_t count) {
  if (a.low != b.low || a.high != b.high || !a.undefined != !b.undefined ||
      (a.undefined &&
       !std::equal(a.undefined, a.undefined + count, b.undefined)))
    return false;
  return a.narrow ? std::equal(a.narrow, a.narrow + count, b.narrow)
                  : std::equal(a.wide, a.wide + count, b.wide);
}

BatchEvaluator::BatchEvaluator(const BoundFormula::Program &graph)
    : graph(graph), lanes(graph.code.size()), checks(graph.code.size()),
      masks(graph.code.size()) {
  if (graph.narrow)
    columns = std::make_unique<ColumnsOf<int32_t>>(*this);
  else
    columns = std::make_unique<ColumnsOf<int64_t>>(*this);
  for (auto [value, check] : graph.undefined)
    checks[value].push_back(check);
  for (Slot slot = 0; slot < graph.code.size(); ++slot) {
    const Instruction &in = graph.code[slot];
    if (isCheck(in.op))
      continue;
    lanes[slot].low = in.low; // of constants
    lanes[slot].high = in.high;
    bool mayBe = !checks[slot].empty();
    for (unsigned i = 0; i < in.numOperands(); ++i)
      mayBe |= masks[in.operand(i)] != nullptr;
    if (mayBe)
      masks[slot] = std::make_unique<bool[]>(kBatch);
  }
}

BatchEvaluator::~BatchEvaluator() = default;

void BatchEvaluator::run(int64_t first, int64_t count) {
  columns->run(first, count);
}

template <typename T>
bool BatchEvaluator::ColumnsOf<T>::findUndefined(Slot slot, int64_t count) {
  bool *mask = batch.masks[slot].get();
  if (!mask)
    return false;
  const Instruction &in = batch.graph.code[slot];
  std::fill_n(mask, count, false);
  for (unsigned i = 0; i < in.numOperands(); ++i)
    if (const bool *operand = batch.lanes[in.operand(i)].undefined)
      for (int64_t k = 0; k < count; ++k) {
        bool isTaken = in.op != Op::Select || i == 0 ||
                       (batch.lanes[in.a].value(k) != 0) == (i == 1);
        mask[k] |= operand[k] && isTaken;
      }
  for (Slot check : batch.checks[slot])
    this->mark(batch.graph.code[check], mask);
  return std::find(mask, mask + count, true) != mask + count;
}

template <typename T>
void BatchEvaluator::ColumnsOf<T>::run(int64_t first, int64_t count) {
  Executor<T>::run(first, count);
  for (Slot slot = 0; slot < batch.lanes.size(); ++slot) {
    Op op = batch.graph.code[slot].op;
    if (isCheck(op) || op == Op::Constant)
      continue;
    Lanes &out = batch.lanes[slot];
    T *values = this->column(slot);
    out.undefined = nullptr;
    if (!findUndefined(slot, count)) {
      std::tie(out.low, out.high) = columns::range(count, values);
      continue;
    }
    out.undefined = batch.masks[slot].get();
    out.low = INT64_MAX;
    out.high = INT64_MIN;
    for (int64_t k = 0; k < count; ++k) {
      if (out.undefined[k]) {
        values[k] = 0;
        continue;
      }
      out.low = std::min<int64_t>(out.low, values[k]);
      out.high = std::max<int64_t>(out.high, values[k]);
    }
  }
}

} // namespace swizzle::formula
