//===- Page.h - Reports as one page to look at ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes one self-contained HTML page of reports and journals. Kernels enter it
// as the files have them; only the mapping is worked out here, because the page
// evaluates no formula.
//
//   std::vector<PageInput> inputs = {cantFail(readPageInput("report.json"))};
//   inputs[0].kernels      [{"name": "gemm", "formula": "return y, x", ...}]
//   std::string html = makePage(std::move(inputs));
//   html                   "<!DOCTYPE html>..."
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PAGE_PAGE_H
#define SWIZZLE_PAGE_PAGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace swizzle {

/// One report or journal.
struct PageInput {
  std::string source; ///< the file and what it is, for people
  /// As a report of schema `swizzle-report/1` or `swizzle-tuning/1` has them.
  llvm::json::Array kernels;
  std::vector<std::string> problems; ///< lines that could not be used
};

/// Reads the file at `path` (`-`: standard input): a report of the passes or of
/// the tuner, or a journal, whose run may go on. Fails if it is none of them;
/// the message says what it is.
llvm::Expected<PageInput> readPageInput(llvm::StringRef path);

/// The same of a text; `name` stands in messages.
llvm::Expected<PageInput> parsePageInput(llvm::StringRef text,
                                         llvm::StringRef name);

/// Which workgroup computes each tile of `kernel`, for the page:
///   grid, dies, chunk    as numbers; `nominal` if the launch decides the grid
///   workgroups           of a remapped kernel, tile by tile: differences of
///                        linear ids, 32-bit little endian, zlib, base64
/// or {"why": ...}, one sentence, if that cannot be told.
llvm::json::Object mappingOf(const llvm::json::Object &kernel);

/// All kernels of `inputs` in one page.
std::string makePage(std::vector<PageInput> inputs);

} // namespace swizzle

#endif // SWIZZLE_PAGE_PAGE_H
