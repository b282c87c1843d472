//===- Page.cpp - Reports as one page to look at --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills the frame (web/page.html): each @@NAME@@ is replaced once, and nothing
// that is put in is looked at again.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Page/Page.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace swizzle {

namespace {
struct EmbeddedFile {
  StringLiteral name, text;
};
const EmbeddedFile kFiles[] = {
#include "PageFiles.inc"
};

/// In the order in which the page runs them.
constexpr StringLiteral kScripts[] = {"format.js",   "views.js",    "order.js",
                                      "mapping.js",  "charts.js",   "curve.js",
                                      "attempts.js", "sections.js", "main.js"};
} // namespace

static StringRef textOf(StringRef name) {
  for (const EmbeddedFile &file : kFiles)
    if (file.name == name)
      return file.text;
  llvm_unreachable("every file of the page is embedded");
}

/// JSON that may stand between tags: no `<` is left in it.
static std::string printForPage(json::Value value) {
  std::string text = formatv("{0}", value);
  std::string safe;
  for (char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

static std::string printScripts() {
  std::string text;
  for (StringRef name : kScripts)
    text += textOf(name);
  return text;
}

/// A comment must not hold two dashes in a row.
static std::string printNotice() {
  std::string text = textOf("d3-copyright.txt").str();
  for (size_t at = 0; (at = text.find("--", at)) != std::string::npos;)
    text.replace(at, 2, "- -");
  return text;
}

static std::string contentOf(StringRef marker, const std::string &data) {
  if (marker == "STYLE")
    return textOf("style.css").str();
  if (marker == "D3")
    return textOf("d3.min.js").str();
  if (marker == "D3NOTICE")
    return printNotice();
  if (marker == "SCRIPTS")
    return printScripts();
  return data;
}

std::string makePage(std::vector<PageInput> inputs) {
  json::Array kernels, sources;
  for (PageInput &input : inputs) {
    for (json::Value &value : input.kernels) {
      json::Object &kernel = *value.getAsObject();
      kernel["mapping"] = mappingOf(kernel);
      if (inputs.size() > 1)
        kernel["source"] = input.source;
      kernels.push_back(std::move(value));
    }
    sources.push_back(std::move(input.source));
  }
  std::string data = printForPage(json::Object{
      {"kernels", std::move(kernels)}, {"sources", std::move(sources)}});
  std::string page;
  StringRef frame = textOf("page.html");
  while (!frame.empty()) {
    auto [text, rest] = frame.split("@@");
    page += text;
    auto [marker, next] = rest.split("@@");
    if (!marker.empty())
      page += contentOf(marker, data);
    frame = next;
  }
  return page;
}

} // namespace swizzle
