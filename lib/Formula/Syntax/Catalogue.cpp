//===- Catalogue.cpp - The families that libraries ship -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each file of `catalogue/` is one entry: a header of `# key: value` comments,
// then the formula. The files are embedded at build time, so that a new family
// is one new file and nothing else.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Syntax/Catalogue.h"
#include "Diagnostic.h"
#include "swizzle/Support/ReadFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace swizzle {

using namespace formula;

namespace {

struct EmbeddedFile {
  const char *name;
  const char *text;
};

constexpr EmbeddedFile kFiles[] = {
#include "CatalogueFiles.inc"
};

/// Splits one file into its header and the formula.
CatalogueEntry readEntry(const EmbeddedFile &file) {
  CatalogueEntry entry;
  llvm::StringRef rest = file.text;
  while (rest.starts_with("# ")) {
    auto [line, after] = rest.split('\n');
    auto [key, value] = line.drop_front(2).split(": ");
    if (key == "name")
      entry.name = value.trim().str();
    else if (key == "summary")
      entry.summary = value.trim().str();
    else if (key == "legal-when")
      entry.legalWhen = value.trim().str();
    else if (key == "source")
      entry.source = value.trim().str();
    else
      break;
    rest = after;
  }
  entry.text = rest.ltrim('\n').str();
  return entry;
}

llvm::Error failure(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

} // namespace

llvm::ArrayRef<CatalogueEntry> catalogue() {
  static const std::vector<CatalogueEntry> entries = [] {
    std::vector<CatalogueEntry> list;
    for (const EmbeddedFile &file : kFiles)
      list.push_back(readEntry(file));
    llvm::sort(list, [](const CatalogueEntry &a, const CatalogueEntry &b) {
      return a.name < b.name;
    });
    return list;
  }();
  return entries;
}

llvm::Expected<const CatalogueEntry *> findFamily(llvm::StringRef name) {
  name.consume_front("@");
  std::vector<std::string> names;
  for (const CatalogueEntry &entry : catalogue()) {
    if (entry.name == name)
      return &entry;
    names.push_back(entry.name);
  }
  return failure("the catalogue has no family `" + name +
                 "`; it has: " + nearestFirst(name, names));
}

llvm::Expected<Formula> readFormulaOption(llvm::StringRef text) {
  llvm::StringRef trimmed = text.trim();
  if (!trimmed.consume_front("@"))
    return Formula::parse(text, "formula");
  llvm::Expected<const CatalogueEntry *> entry = findFamily(trimmed);
  if (!entry)
    return entry.takeError();
  return Formula::parse((*entry)->text, "@" + (*entry)->name);
}

llvm::Expected<Formula> readFormulaFile(llvm::StringRef path) {
  auto buffer = readWholeInput(path, kTextLimit);
  if (!buffer)
    return failure("cannot read " + path + ": " +
                   llvm::toString(buffer.takeError()));
  llvm::StringRef text = (*buffer)->getBuffer();
  text.consume_front("\xef\xbb\xbf"); // as some editors begin a text
  llvm::StringRef name = path == "-" ? "<stdin>" : path;
  if (text.trim().starts_with("@") && !text.trim().contains('\n'))
    return readFormulaOption(text);
  return Formula::parse(text, name);
}

} // namespace swizzle
