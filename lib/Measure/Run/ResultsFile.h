//===- ResultsFile.h - What a bundle's results are kept in ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows are only ever appended, one `write` each: whatever kills this program,
// what it measured before is there. One process at a time has the file; a lock
// that the kernel takes back says so.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_MEASURE_RUN_RESULTSFILE_H
#define SWIZZLE_LIB_MEASURE_RUN_RESULTSFILE_H

#include <string>

namespace swizzle::measuring {

/// Functions return what is wrong, and "" if nothing is.
class ResultsFile {
public:
  ResultsFile() = default;
  ~ResultsFile() { close(); }
  ResultsFile(const ResultsFile &) = delete;
  ResultsFile &operator=(const ResultsFile &) = delete;

  /// Opens and locks; `text` is what is there. A last line without an end,
  /// which a killed run leaves, is cut off; with `fresh`, everything is.
  std::string open(const std::string &name, bool fresh, std::string &text);
  std::string append(const std::string &line);
  /// A child closes its copy: the lock stays with who opened the file.
  void close();

private:
  std::string fail(const char *what) const;

  std::string path;
  int file = -1;
};

/// The number in the file `path`, which says for how many seconds a device was
/// used; 0 if there is no such file, or no finite number from 0 on in it.
double readSeconds(const std::string &path);
std::string writeSeconds(const std::string &path, double seconds);

} // namespace swizzle::measuring

#endif // SWIZZLE_LIB_MEASURE_RUN_RESULTSFILE_H
