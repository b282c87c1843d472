//===- Http.h - One POST over libcurl ---------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin layer over libcurl: time-outs in milliseconds, a limit for the body,
// cancelling, and a failure that is told apart by what it means. Proxies and
// certificates as curl users expect: http_proxy, https_proxy, all_proxy,
// no_proxy, CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR. Certificates are
// always verified. Redirects are never followed: what was sent carries a key.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_CHAT_HTTP_H
#define SWIZZLE_LIB_AGENT_CHAT_HTTP_H

#include "swizzle/Agent/Core/Agent.h"
#include "swizzle/Agent/Core/Options.h"

namespace swizzle::agent {

struct HttpRequest {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

struct HttpReply {
  long status = 0;
  /// Names in lower case.
  std::map<std::string, std::string> headers;
  std::string body;

  /// The header called `name` (lower case), or an empty text.
  llvm::StringRef header(llvm::StringRef name) const;
};

/// A request that brought no reply.
struct HttpFailure {
  AgentErrorKind kind = AgentErrorKind::Connection;
  std::string message;
  /// The request had left, so that it may have been answered and charged.
  bool sent = false;
};

struct HttpResult {
  std::optional<HttpFailure> failure;
  HttpReply reply; ///< meaningful without `failure`
};

struct HttpLimits {
  int64_t connectTimeoutMs = 5000;
  int64_t idleTimeoutMs = 300 * 1000;
  int64_t totalTimeoutMs = 900 * 1000;
  /// The option that `totalTimeoutMs` comes from, for messages.
  llvm::StringRef totalTimeoutName = "total-timeout-ms";
  int64_t maxBodyBytes = 8 << 20;
  const std::atomic<bool> *cancel = nullptr;
};

class HttpClient {
public:
  virtual ~HttpClient();
  virtual HttpResult post(const HttpRequest &request,
                          const HttpLimits &limits) = 0;
};

/// Over the network. `environment` is asked for the certificate files.
std::unique_ptr<HttpClient> makeHttpClient(const AgentOptions &options);

/// "http://host:port" of `url`, for messages: no user, password, path or query.
/// Empty if `url` is none.
std::string serverOf(const std::string &url);

/// An empty string if `url` is an http or https URL, else what is wrong.
std::string checkUrl(const std::string &url);

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_CHAT_HTTP_H
