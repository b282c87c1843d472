//===- Curl.h - libcurl, opened when it is needed ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiler that loads this project as a plugin shall not map an HTTP library
// that it will not use: libcurl is opened when the first server is named, and
// its functions are called through this table.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_CHAT_CURL_H
#define SWIZZLE_LIB_AGENT_CHAT_CURL_H

#include "llvm/Support/Error.h"
#include <curl/curl.h>

namespace swizzle::agent {

/// All that is used of libcurl, without the prefix `curl_`.
// clang-format off
#define SWIZZLE_CURL_FUNCTIONS(X)                                              \
  X(easy_init) X(easy_cleanup) X(easy_setopt) X(easy_getinfo) X(easy_strerror) \
  X(multi_init) X(multi_cleanup) X(multi_add_handle) X(multi_remove_handle)    \
  X(multi_perform) X(multi_poll) X(multi_info_read) X(multi_strerror)          \
  X(slist_append) X(slist_free_all) X(free) X(getdate)                         \
  X(url) X(url_cleanup) X(url_get) X(url_set)
// clang-format on

struct Curl {
#define SWIZZLE_MEMBER(NAME) decltype(&::curl_##NAME) NAME = nullptr;
  SWIZZLE_CURL_FUNCTIONS(SWIZZLE_MEMBER)
#undef SWIZZLE_MEMBER
};

/// The library, opened by the first call in the process. The error says what
/// is missing.
llvm::Expected<const Curl *> openCurl();

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_CHAT_CURL_H
