//===- NestFormula.cpp - A loop nest written as a formula -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the decoding of Nest.cpp as text, as short as one would by hand: outer
// loops that follow the order of dispatch read their axis instead of dividing
// the linear id, the divisor of an innermost pair is shared by `//` and `%`,
// and nothing is said about dies where nothing is dealt.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Orders/Nest.h"

#include <algorithm>
#include <cassert>

namespace swizzle {

namespace {

/// Writes one nest.
class NestWriter {
public:
  NestWriter(const LoopNest &nest, unsigned rank) : nest(nest), rank(rank) {
    for (unsigned axis = 0; axis < 3; ++axis) {
      std::string name(1, axisName(axis));
      size[axis] = axis < rank ? "g" + name : "";
      raw[axis] = axis < rank ? name : "";
    }
  }

  std::string run() {
    size_t first = 0;
    if (nest.deal == Deal::None)
      first = followDispatch();
    else
      dealPositions();
    for (size_t i = first; i < nest.levels.size(); ++i)
      if (nest.levels[i].axis < rank)
        decode(nest.levels[i]);
      else
        step.clear();
    std::string result;
    // Outer axes that stay as they are need not be returned.
    unsigned returned = rank;
    while (returned > 1 &&
           place[returned - 1] == std::string(1, axisName(returned - 1)))
      --returned;
    // One value alone is for grids of one row; say y too on larger ones.
    if (rank > 1 && returned == 1)
      returned = 2;
    for (unsigned axis = 0; axis < returned; ++axis)
      result += (axis ? ", " : "return ") + place[axis];
    return text + result + "\n";
  }

private:
  static char axisName(unsigned axis) { return "xyz"[axis]; }

  void line(const std::string &statement) { text += statement + "\n"; }

  static std::string times(const std::string &a, const std::string &b) {
    if (a.empty() || b.empty())
      return a.empty() ? b : a;
    return a + " * " + b;
  }

  /// Takes the outer loops that walk the slowest axis of dispatch straight from
  /// that axis; returns how many. Leaves the others a linear id `i`.
  size_t followDispatch() {
    size_t count = 0;
    int slowest = rank - 1;
    for (; count < nest.levels.size(); ++count) {
      const NestLevel &level = nest.levels[count];
      if (level.axis >= rank) {
        step.clear();
        continue;
      }
      if (slowest < 0 || level.axis != unsigned(slowest))
        break;
      unsigned axis = level.axis;
      std::string coordinate = raw[axis];
      if (level.tile == 1) {
        addPlace(axis, turned(level, coordinate), 1);
        step = coordinate;
        size[axis].clear();
        raw[axis].clear();
        --slowest;
        continue;
      }
      std::string tile = std::to_string(level.tile), block = fresh(axis, 'b');
      line(block + " = " + coordinate + " // " + tile);
      splitOff(level, block);
      raw[axis] = "(" + coordinate + " % " + tile + ")";
      step = block;
    }
    for (int axis = slowest; axis >= 0; --axis) {
      if (position.empty())
        position = raw[axis];
      else
        position =
            (position.find(" + ") == std::string::npos ? position
                                                       : "(" + position + ")") +
            " * " + size[axis] + " + " + raw[axis];
    }
    setPosition(position);
    return count;
  }

  void dealPositions() {
    std::string count = "gx";
    position = "x";
    if (rank > 1) {
      position = rank > 2 ? "(z * gy + y) * gx + x" : "y * gx + x";
      count = rank > 2 ? "gx * gy * gz" : "gx * gy";
    }
    setPosition(position);
    std::string i = position;
    if (nest.deal == Deal::Contiguous) {
      if (rank > 1) {
        line("n = " + count);
        count = "n";
      }
      line("q, r = " + count + " // num_xcds, " + count + " % num_xcds");
      line("d, j = " + i + " % num_xcds, " + i + " // num_xcds");
      line("i = d * q + min(d, r) + j");
    } else {
      std::string chunk = std::to_string(nest.chunk);
      line("b = " + (nest.chunk == 1 ? "" : chunk + " * ") + "num_xcds");
      line("d, j = " + i + " % num_xcds, " + i + " // num_xcds");
      std::string inner = nest.chunk == 1 ? "j * b + d"
                                          : "j // " + chunk + " * b + d * " +
                                                chunk + " + j % " + chunk;
      line("i = " + inner + " if " + i + " < " + count + " // b * b else " + i);
    }
    position = "i";
  }

  /// Decodes one loop from the linear position.
  void decode(const NestLevel &level) {
    unsigned axis = level.axis;
    std::string others;
    for (unsigned other = 0; other < rank; ++other)
      if (other != axis)
        others = times(others, size[other]);
    std::string tile = level.tile == 1 ? "" : std::to_string(level.tile);
    std::string volume = times(tile, others);
    if (volume.empty()) { // the innermost loop
      addPlace(axis, turned(level, position), 1);
      step = position;
      size[axis].clear();
      return;
    }
    if (volume.find(' ') != std::string::npos) {
      std::string name = "w" + (widths ? std::to_string(widths + 1) : "");
      ++widths;
      line(name + " = " + volume);
      volume = name;
    }
    std::string quotient = position + " // " + volume;
    if (level.tile == 1 && !level.serpentine && loopsInside(level) == 1 &&
        !nextIsSerpentine(level)) {
      // Before the innermost loop: both are read once and stay inside.
      addPlace(axis, quotient, 1);
      size[axis].clear();
      position = position + " % " + volume;
      return;
    }
    std::string block = fresh(axis, level.tile == 1 ? 'i' : 'b');
    line(block + " = " + quotient);
    line("i = " + position + " % " + volume);
    position = "i";
    if (level.tile != 1) {
      splitOff(level, block);
    } else {
      addPlace(axis, turned(level, block), 1);
      size[axis].clear();
    }
    step = block;
  }

  unsigned loopsInside(const NestLevel &level) const {
    const NestLevel *end = nest.levels.data() + nest.levels.size();
    return std::count_if(&level + 1, end, [&](const NestLevel &inner) {
      return inner.axis < rank;
    });
  }

  bool nextIsSerpentine(const NestLevel &level) const {
    const NestLevel *inner = &level + 1;
    return inner != nest.levels.data() + nest.levels.size() &&
           inner->axis < rank && inner->serpentine;
  }

  /// `index`, or its mirror image while the loop around is at an odd step.
  std::string turned(const NestLevel &level, std::string index) {
    if (!level.serpentine || step.empty())
      return index;
    if (index.find(' ') != std::string::npos) {
      std::string name = fresh(level.axis, 'i');
      line(name + " = " + index);
      index = name;
    }
    std::string odd =
        step.find(' ') == std::string::npos ? step : "(" + step + ")";
    std::string name = fresh(level.axis, 't');
    line(name + " = " + size[level.axis] + " - 1 - " + index + " if " + odd +
         " % 2 else " + index);
    return name;
  }

  /// After a split of `level.axis`: the piece starts at block * tile and may be
  /// short.
  void splitOff(const NestLevel &level, const std::string &block) {
    unsigned axis = level.axis;
    std::string height = fresh(axis, 'h'), tile = std::to_string(level.tile);
    line(height + " = min(" + tile + ", " + size[axis] + " - " + block + " * " +
         tile + ")");
    addPlace(axis, block, level.tile);
    size[axis] = height;
  }

  void addPlace(unsigned axis, const std::string &index, int64_t tile) {
    std::string term = tile == 1 ? index : index + " * " + std::to_string(tile);
    place[axis] = place[axis].empty() ? term : place[axis] + " + " + term;
  }

  void setPosition(const std::string &value) {
    if (value.find(' ') == std::string::npos) {
      position = value;
      return;
    }
    line("i = " + value);
    position = "i";
  }

  std::string fresh(unsigned axis, char role) {
    std::string name{axisName(axis), role};
    unsigned n = ++used[axis][role - 'a'];
    return n == 1 ? name : name + std::to_string(n);
  }

  const LoopNest &nest;
  unsigned rank;
  std::string text;
  std::string size[3];  ///< what is left of an axis; empty: one place
  std::string raw[3];   ///< its coordinate as dispatched
  std::string place[3]; ///< sum of what is known of the new coordinate
  std::string position; ///< linear position among what is left
  std::string step;     ///< step of the loop just decoded
  unsigned used[3][26] = {};
  unsigned widths = 0;
};

} // namespace

Formula LoopNest::toFormula(unsigned rank) const {
  assert(verify().empty() && rank >= 1 && rank <= 3);
  return llvm::cantFail(Formula::parse(NestWriter(*this, rank).run(), "nest"));
}

} // namespace swizzle
