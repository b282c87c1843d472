//===- LineDifference.cpp - What differs between two texts ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The greedy algorithm of E. W. Myers ("An O(ND) difference algorithm and its
// variations", Algorithmica 1986): for d = 0, 1, ... the farthest line of
// `before` that each diagonal reaches with d changes. Of ABC and ACD, with
// diagonal = line of before - line of after: d = 0 reaches A; d = 1 takes out B
// and reaches C; d = 2 puts in D and is at the end of both.
//
// Texts that differ in more than `kMostChanges` lines are given up on: what
// lies between their common beginning and their common end is taken out and put
// in as a whole.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/LineDifference.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace llvm;

namespace swizzle {

namespace {

constexpr int64_t kMostChanges = 2000;

/// A line, and what it is compared by.
struct Line {
  StringRef text;
  std::string key;
};

struct Edit {
  char sign;
  StringRef text;
};
using Edits = std::vector<Edit>;

} // namespace

/// Every `%12` becomes `%`.
static std::string withoutNumbers(StringRef text) {
  std::string key;
  for (size_t i = 0; i < text.size(); ++i) {
    key += text[i];
    if (text[i] == '%')
      while (i + 1 < text.size() && isDigit(text[i + 1]))
        ++i;
  }
  return key;
}

static std::vector<Line> readLines(StringRef text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    lines.push_back({line, withoutNumbers(line)});
    text = rest;
  }
  return lines;
}

/// The edits from `a` to `b` by what each number of changes reaches.
static Edits followBack(ArrayRef<Line> a, ArrayRef<Line> b,
                        ArrayRef<std::vector<int64_t>> reached) {
  Edits edits;
  int64_t x = int64_t(a.size()), y = int64_t(b.size());
  for (int64_t d = int64_t(reached.size()) - 1; d >= 0; --d) {
    // `reached[d]` is what d - 1 changes reached, diagonals from -d to d.
    const std::vector<int64_t> &row = reached[d];
    int64_t k = x - y;
    bool putIn = k == -d || (k != d && row[k - 1 + d] < row[k + 1 + d]);
    int64_t from = d == 0 ? 0 : k + (putIn ? 1 : -1);
    int64_t startX = d == 0 ? 0 : row[from + d];
    int64_t startY = d == 0 ? 0 : startX - from;
    while (x > startX && y > startY) {
      --x, --y;
      edits.push_back({' ', b[y].text});
    }
    if (d == 0)
      break;
    if (putIn)
      edits.push_back({'+', b[--y].text});
    else
      edits.push_back({'-', a[--x].text});
  }
  std::reverse(edits.begin(), edits.end());
  return edits;
}

static Edits compare(ArrayRef<Line> a, ArrayRef<Line> b) {
  int64_t n = int64_t(a.size()), m = int64_t(b.size());
  std::vector<std::vector<int64_t>> reached;
  std::vector<int64_t> row; // farthest x by diagonal, -d .. d
  for (int64_t d = 0; d <= std::min(n + m, kMostChanges); ++d) {
    // What d - 1 changes reached, moved so that diagonal k is at k + d.
    std::vector<int64_t> before(2 * d + 1, -1);
    std::copy(row.begin(), row.end(), before.begin() + (d ? 1 : 0));
    reached.push_back(before);
    row.assign(2 * d + 1, -1);
    for (int64_t k = -d; k <= d; k += 2) {
      bool putIn = k == -d || (k != d && before[k - 1 + d] < before[k + 1 + d]);
      int64_t x = d == 0  ? 0
                  : putIn ? before[k + 1 + d]
                          : before[k - 1 + d] + 1;
      int64_t y = x - k;
      while (x < n && y < m && a[x].key == b[y].key)
        ++x, ++y;
      row[k + d] = x;
      if (x >= n && y >= m)
        return followBack(a, b, reached);
    }
  }
  Edits edits;
  for (const Line &line : a)
    edits.push_back({'-', line.text});
  for (const Line &line : b)
    edits.push_back({'+', line.text});
  return edits;
}

std::vector<std::string> differenceOfLines(StringRef before, StringRef after,
                                           size_t context) {
  std::vector<Line> a = readLines(before), b = readLines(after);
  size_t head = 0, tail = 0, most = std::min(a.size(), b.size());
  while (head < most && a[head].key == b[head].key)
    ++head;
  while (tail < most - head &&
         a[a.size() - 1 - tail].key == b[b.size() - 1 - tail].key)
    ++tail;
  Edits edits;
  for (size_t i = 0; i < head; ++i)
    edits.push_back({' ', b[i].text});
  Edits middle = compare(ArrayRef(a).drop_front(head).drop_back(tail),
                         ArrayRef(b).drop_front(head).drop_back(tail));
  edits.insert(edits.end(), middle.begin(), middle.end());
  for (size_t i = b.size() - tail; i < b.size(); ++i)
    edits.push_back({' ', b[i].text});
  // Kept: changes, and what is near one.
  std::vector<bool> kept(edits.size(), false);
  for (size_t i = 0; i < edits.size(); ++i)
    if (edits[i].sign != ' ')
      std::fill(kept.begin() + (i < context ? 0 : i - context),
                kept.begin() + std::min(edits.size(), i + context + 1), true);
  std::vector<std::string> lines;
  for (size_t i = 0; i < edits.size(); ++i)
    if (kept[i])
      lines.push_back(edits[i].sign + edits[i].text.str());
    else if (!lines.empty() && lines.back() != "...")
      lines.push_back("...");
  if (!lines.empty() && lines.back() == "...")
    lines.pop_back();
  return lines;
}

} // namespace swizzle
