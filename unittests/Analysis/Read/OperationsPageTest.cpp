//===- OperationsPageTest.cpp - The page of supported operations ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/reference/Operations.md is the table of operations in words. If this
// fails, run the test with SWIZZLE_WRITE_DOCS=1 and commit the page.
//
//===----------------------------------------------------------------------===//

#include "Analysis/Read/Handlers.h"
#include "Analysis/Read/Operations/Rows.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <map>

using namespace llvm;
using namespace swizzle;
using namespace swizzle::analysis;

namespace {

constexpr StringLiteral kHead = R"(# Supported operations

<!-- Generated: unittests/Analysis/Read/OperationsPageTest.cpp says how. Do not edit. -->

A kernel of any dialect is lowered to the `llvm` dialect with the vendor's intrinsics before it is read ([legality](../legality.md)): what matters is what your operations become. `swizzle-opt k.mlir --swizzle-print-lowered` prints that, and `--swizzle-print-model` what was understood of it. A `*` stands for anything.

What is not listed here is accepted if LLVM says that it touches no memory and that it is a function of its operands, and refused (`unknown-effect`, `unknown-callee`) otherwise. Rows are read from the top: what is refused goes before what is accepted. What depends on the operation at hand (volatile and atomic accesses, copies to several workgroups, updates whose old value is used) is refused in addition.

)";

const char *groupOf(const OperationRow &row) {
  switch (row.kind) {
  case OperationKind::Pure:
    return "Computes with its operands, or reads a register";
  case OperationKind::Local:
    return "Stays inside the workgroup";
  case OperationKind::Access:
    if (row.read == readTexture || row.read == readSurface)
      return "Reads or writes an image; its address is not modelled";
    return row.read ? "Reads or writes memory; its address is modelled"
                    : "Reads or writes memory; its address is not modelled";
  case OperationKind::Atomic:
    return "Updates memory; accepted where updates commute and nobody uses the "
           "old value";
  case OperationKind::Prints:
    return "Prints or stops; accepted, its order may change";
  case OperationKind::Calls:
    return "Does what is called, which is read as well";
  case OperationKind::Refused:
    return "";
  }
  return "";
}

/// "`a`, `b*`" of a row's pattern.
std::string namesOf(const OperationRow &row) {
  SmallVector<StringRef> names;
  StringRef(row.pattern).split(names, ' ', -1, /*KeepEmpty=*/false);
  std::string text;
  for (StringRef name : names)
    text += (text.empty() ? "`" : ", `") + name.str() + "`";
  return text;
}

void printRows(raw_ostream &os, StringRef title, ArrayRef<OperationRow> rows) {
  os << "## " << title << "\n";
  std::vector<std::string> order;
  std::map<std::string, std::string> groups;
  for (const OperationRow &row : rows) {
    if (row.kind == OperationKind::Refused)
      continue;
    std::string group = groupOf(row);
    if (!groups.count(group))
      order.push_back(group);
    std::string &names = groups[group];
    names += (names.empty() ? "" : ", ") + namesOf(row);
  }
  os << "\n| what it does | operations |\n| --- | --- |\n";
  for (const std::string &group : order)
    os << "| " << group << " | " << groups[group] << " |\n";
  bool any = any_of(rows, [](const OperationRow &row) {
    return row.kind == OperationKind::Refused;
  });
  if (!any) {
    os << '\n';
    return;
  }
  os << "\n| refused as | because it | operations |\n| --- | --- | --- |\n";
  for (const OperationRow &row : rows)
    if (row.kind == OperationKind::Refused)
      os << "| `" << row.code << "` | " << row.reason << " | " << namesOf(row)
         << " |\n";
  os << '\n';
}

std::string printPage() {
  std::string text;
  raw_string_ostream os(text);
  os << kHead;
  printRows(os, "The llvm dialect", llvmRows());
  printRows(os, "Machine instructions: nvvm and rocdl", vendorRows());
  printRows(os, "Functions without a body", functionRows());
  return StringRef(text).rtrim().str() + "\n";
}

TEST(OperationsPage, IsWhatTheTableSays) {
  std::string path = SWIZZLE_SOURCE_DIR "/docs/reference/Operations.md";
  std::string page = printPage();
  if (std::getenv("SWIZZLE_WRITE_DOCS")) {
    std::error_code error;
    raw_fd_ostream os(path, error);
    ASSERT_FALSE(error) << error.message();
    os << page;
  }
  auto buffer = MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(buffer)) << path;
  EXPECT_EQ((*buffer)->getBuffer().str(), page)
      << "run this with SWIZZLE_WRITE_DOCS=1";
}

} // namespace
