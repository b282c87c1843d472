//===- RandomFormula.h - Formulas out of bytes ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns a string of bytes into the text of a formula that mostly parses, so
// that a fuzzer's mutations and a test's random numbers reach the evaluator and
// not only the parser's errors. The bytes steer every choice; when they run
// out, the shortest choice is taken.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_FORMULA_RANDOMFORMULA_H
#define SWIZZLE_UNITTESTS_FORMULA_RANDOMFORMULA_H

#include "swizzle/Formula/Formula.h"

#include <string>
#include <vector>

namespace swizzle {
namespace naive {

class RandomFormula {
public:
  RandomFormula(const uint8_t *data, size_t size) : data(data), size(size) {}

  /// A small grid, hardware numbers that include awkward ones.
  Environment environment() {
    Environment environment;
    static const int64_t extents[] = {1, 2, 3, 4, 5, 7, 8, 12, 13, 16};
    for (unsigned axis = 0; axis < 3; ++axis)
      environment.grid[axis] = extents[pick(axis == 0   ? 10
                                            : axis == 1 ? 6
                                                        : 3)];
    for (llvm::StringRef name : knownHardwareNames())
      environment.hardware[name.str()] = 1 + pick(9);
    return environment;
  }

  std::string text() {
    std::string out;
    unsigned params = pick(3);
    for (unsigned i = 0; i < params; ++i) {
      std::string name(1, char('P' + i));
      int64_t a = pick(9), b = a + 1 + pick(4);
      out += "param " + name + " in {" + std::to_string(a) + ", " +
             std::to_string(b) + "}\n";
      names.push_back(name);
    }
    if (params && pick(4) == 0)
      out += "require P % 2 == 0 or gx > P\n";
    unsigned statements = pick(6);
    for (unsigned i = 0; i < statements; ++i) {
      std::string name(1, char('a' + pick(6)));
      if (pick(6) == 0) {
        out += name + ", " + name + "2 = " + expr(3) + ", " + expr(3) + "\n";
        names.push_back(name + "2");
      } else {
        out += name + " = " + expr(4) + (pick(5) == 0 ? "; " : "\n");
      }
      names.push_back(name);
    }
    unsigned results = 1 + pick(3);
    out += pick(4) == 0 ? "return (" : "return ";
    bool parenthesised = out.back() == '(';
    for (unsigned i = 0; i < results; ++i) {
      static const char *extents[] = {"gx", "gy", "gz"};
      // Most results are brought inside the grid, or none would be legal.
      std::string value = expr(4);
      if (pick(8))
        value = "(" + value + ") % " + extents[i];
      out += (i ? ", " : "") + value;
    }
    return out + (parenthesised ? ")\n" : "\n");
  }

private:
  unsigned pick(unsigned choices) {
    return at < size ? data[at++] % choices : 0;
  }

  std::string name() {
    static const char *builtIn[] = {"x",  "y",        "z",       "gx", "gy",
                                    "gz", "num_xcds", "num_cus", "x",  "y"};
    if (!names.empty() && pick(2))
      return names[pick(names.size())];
    return builtIn[pick(10)];
  }

  std::string literal() {
    static const char *odd[] = {"9223372036854775807",
                                "-9223372036854775808",
                                "4294967296",
                                "2147483648",
                                "-1",
                                "63",
                                "64",
                                "0x7f"};
    if (pick(12) == 11)
      return odd[pick(8)];
    return std::to_string(pick(17));
  }

  std::string expr(unsigned depth) {
    unsigned shape = depth == 0 ? pick(2) : pick(14);
    auto sub = [&] { return expr(depth - 1); };
    auto open = [&] { return "(" + sub() + ")"; };
    switch (shape) {
    case 0:
      return name();
    case 1:
      return literal();
    case 2:
    case 3:
    case 4: {
      static const char *ops[] = {" + ", " - ", " * ", " // ", " % "};
      std::string left = open();
      const char *op = ops[pick(5)];
      return left + op + open();
    }
    case 5: {
      static const char *ops[] = {"&", "|", "^", " << ", " >> "};
      std::string left = open();
      const char *op = ops[pick(5)];
      return left + op + open();
    }
    case 6: {
      static const char *ops[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
      std::string out = open();
      for (unsigned i = 0, n = 1 + pick(3); i < n; ++i) {
        out += ops[pick(6)];
        out += open();
      }
      return out;
    }
    case 7: {
      std::string then = open(), condition = open();
      return then + " if " + condition + " else " + sub();
    }
    case 8: {
      std::string left = open();
      return left + (pick(2) ? " and " : " or ") + open();
    }
    case 9: {
      static const char *ops[] = {"-", "~", "not "};
      const char *op = ops[pick(3)];
      return op + open();
    }
    case 10: {
      std::string out = (pick(2) ? "min(" : "max(") + sub() + ", " + sub();
      if (pick(3) == 0)
        out += ", " + sub();
      return out + ")";
    }
    case 11:
      return pick(2) ? "abs(" + sub() + ")"
                     : "cdiv(" + sub() + ", " + sub() + ")";
    case 12: {
      static const char *curves[] = {"hilbert_x", "hilbert_y", "morton_x",
                                     "morton_y"};
      return std::string(curves[pick(4)]) + "(y * gx + x, gx, gy)";
    }
    default: {
      static const char *curves[] = {"hilbert_x(", "hilbert_y(", "morton_x(",
                                     "morton_y("};
      std::string out = curves[pick(4)];
      out += sub() + ", " + name() + ", ";
      return out + name() + ")";
    }
    }
  }

  const uint8_t *data;
  size_t size, at = 0;
  std::vector<std::string> names;
};

} // namespace naive
} // namespace swizzle

#endif // SWIZZLE_UNITTESTS_FORMULA_RANDOMFORMULA_H
