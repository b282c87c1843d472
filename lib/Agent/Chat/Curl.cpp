//===- Curl.cpp - libcurl, opened when it is needed -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library is never closed: it may have threads and state of its own.
//
//===----------------------------------------------------------------------===//

#include "Curl.h"

#include <dlfcn.h>

namespace swizzle::agent {

namespace {
struct OpenedCurl {
  Curl functions;
  std::string problem; ///< why it cannot be used; empty if it can
};
} // namespace

static OpenedCurl open() {
  OpenedCurl result;
  auto fail = [&] {
    const char *why = dlerror();
    result.problem = std::string("libcurl, through which servers are asked, "
                                 "cannot be loaded: ") +
                     (why ? why : "unknown reason");
    return result;
  };
  void *library = dlopen(SWIZZLE_CURL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail();
#define SWIZZLE_LOOK_UP(NAME)                                                  \
  result.functions.NAME = reinterpret_cast<decltype(&::curl_##NAME)>(          \
      dlsym(library, "curl_" #NAME));                                          \
  if (!result.functions.NAME)                                                  \
    return fail();
  SWIZZLE_CURL_FUNCTIONS(SWIZZLE_LOOK_UP)
#undef SWIZZLE_LOOK_UP
  return result;
}

llvm::Expected<const Curl *> openCurl() {
  static const OpenedCurl opened = open();
  if (!opened.problem.empty())
    return llvm::createStringError(opened.problem);
  return &opened.functions;
}

} // namespace swizzle::agent
