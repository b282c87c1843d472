//===- MatrixMarket.cpp - Sparse matrices from files ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The exchange format of the Matrix Market: a header line, comments, the sizes,
// one element a line, counted from 1.
// See https://math.nist.gov/MatrixMarket/formats.html
//
//===----------------------------------------------------------------------===//

#include "swizzle/Codegen/Host/MatrixMarket.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <tuple>

namespace swizzle {

namespace {

class Reader {
public:
  Reader(llvm::StringRef text, llvm::StringRef fileName)
      : rest(text), fileName(fileName) {}

  llvm::Expected<SparseMatrix> run();

private:
  struct Element {
    int32_t row, column;
    float value;
  };

  llvm::Error wrong(const llvm::Twine &what) {
    return llvm::createStringError(fileName + ":" + llvm::Twine(line) + ": " +
                                   what);
  }
  /// Words of the next line that is neither empty nor a comment; none at the
  /// end.
  llvm::SmallVector<llvm::StringRef> words();
  llvm::Error readHeader();
  llvm::Error readElements(SparseMatrix &matrix);

  llvm::StringRef rest, fileName;
  int64_t line = 0;
  bool pattern = false, symmetric = false, skew = false;
  std::vector<Element> elements;
};

llvm::SmallVector<llvm::StringRef> Reader::words() {
  llvm::SmallVector<llvm::StringRef> found;
  while (!rest.empty() && found.empty()) {
    llvm::StringRef text;
    std::tie(text, rest) = rest.split('\n');
    ++line;
    if (!text.starts_with("%"))
      llvm::SplitString(text, found, " \t\r");
  }
  return found;
}

llvm::Error Reader::readHeader() {
  llvm::StringRef text;
  std::tie(text, rest) = rest.split('\n');
  ++line;
  std::string lower = text.lower();
  llvm::SmallVector<llvm::StringRef> header;
  llvm::SplitString(lower, header, " \t\r");
  if (header.size() != 5 || header[0] != "%%matrixmarket" ||
      header[1] != "matrix")
    return wrong("expected '%%MatrixMarket matrix coordinate ...'");
  if (header[2] != "coordinate")
    return wrong("only sparse matrices ('coordinate') are read, not '" +
                 header[2] + "'");
  pattern = header[3] == "pattern";
  if (!pattern && header[3] != "real" && header[3] != "integer")
    return wrong("elements must be real, integer or pattern, not '" +
                 header[3] + "'");
  skew = header[4] == "skew-symmetric";
  symmetric = skew || header[4] == "symmetric";
  if (!symmetric && header[4] != "general")
    return wrong(
        "symmetry must be general, symmetric or skew-symmetric, not '" +
        header[4] + "'");
  return llvm::Error::success();
}

llvm::Error Reader::readElements(SparseMatrix &matrix) {
  auto sizes = words();
  int64_t count = 0;
  if (sizes.size() != 3 || sizes[0].getAsInteger(10, matrix.rows) ||
      sizes[1].getAsInteger(10, matrix.columns) ||
      sizes[2].getAsInteger(10, count) || matrix.rows < 1 ||
      matrix.columns < 1 || count < 0)
    return wrong("expected rows, columns and number of elements");
  if (std::max({matrix.rows, matrix.columns, 2 * count}) > INT32_MAX)
    return wrong("the matrix is too large for 32-bit indices");
  // Rows need room without a line of the file.
  constexpr int64_t mostRows = int64_t(1) << 28;
  if (matrix.rows > mostRows)
    return wrong("the matrix has more than " + llvm::Twine(mostRows) + " rows");
  for (int64_t i = 0; i < count; ++i) {
    auto fields = words();
    if (fields.empty())
      return wrong("the file ends after " + llvm::Twine(i) + " of " +
                   llvm::Twine(count) + " elements");
    int64_t row, column;
    double value = 1;
    if (fields.size() != (pattern ? 2u : 3u) ||
        fields[0].getAsInteger(10, row) || fields[1].getAsInteger(10, column) ||
        (!pattern && fields[2].getAsDouble(value)))
      return wrong(pattern ? "expected row and column"
                           : "expected row, column and value");
    if (row < 1 || row > matrix.rows || column < 1 || column > matrix.columns)
      return wrong("element (" + llvm::Twine(row) + ", " + llvm::Twine(column) +
                   ") lies outside");
    elements.push_back({int32_t(row - 1), int32_t(column - 1), float(value)});
    if (symmetric && row != column)
      elements.push_back({int32_t(column - 1), int32_t(row - 1),
                          float(skew ? -value : value)});
  }
  return llvm::Error::success();
}

llvm::Expected<SparseMatrix> Reader::run() {
  SparseMatrix matrix;
  if (llvm::Error error = readHeader())
    return error;
  if (llvm::Error error = readElements(matrix))
    return error;
  std::sort(elements.begin(), elements.end(),
            [](const Element &a, const Element &b) {
              return std::tie(a.row, a.column) < std::tie(b.row, b.column);
            });
  matrix.rowStart.assign(matrix.rows + 1, 0);
  for (const Element &element : elements) {
    ++matrix.rowStart[element.row + 1];
    matrix.column.push_back(element.column);
    matrix.value.push_back(element.value);
  }
  for (int64_t row = 0; row < matrix.rows; ++row)
    matrix.rowStart[row + 1] += matrix.rowStart[row];
  return matrix;
}

} // namespace

llvm::Expected<SparseMatrix> readMatrixMarket(llvm::StringRef text,
                                              llvm::StringRef fileName) {
  return Reader(text, fileName).run();
}

} // namespace swizzle
