//===- NestDeals.cpp - Deals to dies that a text may hold -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With X dies, t a position of n, d = t % X, j = t // X, q = n // X, r = n % X:
//
// - d * q + min(d, r) + j: die d has q + (d < r) positions; they start where
//   those of the dies before it end.
// - rounds of B = X * C positions: inside the t < n // B * B whole rounds, the
//   digits (round, turn, die) of t in radix (.., C, X) are written as (round,
//   die, turn); the rest stays. Where B divides n, there is no rest.
// - the same with one round, C = q.
// - d * q + j, where r is known to be 0.
//
//===----------------------------------------------------------------------===//

#include "NestDeals.h"

#include <algorithm>

namespace swizzle::formula {

namespace {

class DealSearch {
public:
  DealSearch(Algebra &algebra, const DealQuestion &question)
      : algebra(algebra), question(question), t(question.position),
        n(question.count) {}

  std::vector<DealShape> run() {
    for (int64_t x : question.constants) {
      if (x > 4096)
        continue;
      d = algebra.remainder(t, x);
      j = algebra.quotient(t, x);
      if (isNode(j))
        contiguous(x);
      std::vector<Polynomial> chunks(question.constants.begin(),
                                     question.constants.end());
      chunks.push_back(1);
      chunks.insert(chunks.end(), question.sizes.begin(), question.sizes.end());
      for (const Polynomial &c : chunks)
        chunked(x, c);
    }
    return std::move(found);
  }

private:
  bool isNode(const Polynomial &value) const {
    return std::find(question.nodes.begin(), question.nodes.end(), value) !=
           question.nodes.end();
  }

  /// Keeps a deal whose value, or both of whose digits, the text holds.
  void consider(DealShape deal) {
    if (deal.value == t)
      return;
    if (isNode(deal.value)) {
      deal.unit = {};
      found.push_back(std::move(deal));
    } else if (!deal.unit.isZero() && isNode(deal.high) && isNode(deal.low)) {
      found.push_back(std::move(deal));
    }
  }

  void contiguous(int64_t x) {
    bool isHardware = x == question.dies;
    std::string on = " on " + std::to_string(x) + " dies";
    Polynomial q = algebra.quotient(n, x), r = algebra.remainder(n, x);
    consider({d * q + algebra.minimum(d, r) + j, Deal::Contiguous, 1, x,
              isHardware, "deal contiguous" + on});
    consider({algebra.select(algebra.atLeastOne(q * Polynomial(x) - t),
                             d * q + j, t),
              Deal::Contiguous, 1, x, false,
              "deal contiguous, rest as is," + on});
    if (!r.isZero() && !question.divides(x))
      return;
    DealShape even{d * q + j, Deal::Contiguous, 1,
                   x,         isHardware,       "deal contiguous" + on};
    if (algebra.isPositive(q)) {
      even.unit = q;
      even.high = d;
      even.low = j;
    }
    consider(std::move(even));
  }

  void chunked(int64_t x, const Polynomial &c) {
    std::optional<int64_t> constant = c.constant();
    if (constant && *constant > (int64_t(1) << 20))
      return;
    // The text takes the turn first or the round: j // C of j = t // X, or
    // t // B.
    Polynomial round = Polynomial(x) * c;
    if (!(isNode(j) && isNode(algebra.quotient(j, c))) &&
        !(constant && isNode(algebra.quotient(t, round))))
      return;
    Polynomial turn = algebra.remainder(j, c);
    Polynomial high = algebra.quotient(j, c) * Polynomial(x) + d;
    Polynomial inside = high * c + turn;
    std::string what = "deal chunks of " +
                       (constant ? std::to_string(*constant) : "a size") +
                       " on " + std::to_string(x) + " dies";
    if (constant) {
      Polynomial whole = algebra.quotient(n, round) * round;
      consider({algebra.select(algebra.atLeastOne(whole - t), inside, t),
                Deal::Chunked, *constant, x, x == question.dies, what});
    }
    bool even = (constant && question.divides(x * *constant)) ||
                algebra.remainder(n, round).isZero();
    if (even && algebra.isPositive(c))
      consider({inside, Deal::Chunked, constant.value_or(1), x, false, what, c,
                high, turn});
  }

  Algebra &algebra;
  const DealQuestion &question;
  Polynomial t, n, d, j;
  std::vector<DealShape> found;
};

} // namespace

std::vector<DealShape> findDeals(Algebra &algebra,
                                 const DealQuestion &question) {
  return DealSearch(algebra, question).run();
}

} // namespace swizzle::formula
