//===- Http.cpp - One POST over libcurl -----------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transfer runs on a multi handle, which can be left at any time: curl's
// own callbacks come too rarely to end a request on Ctrl-C, and its low-speed
// limit counts in seconds. A transfer is idle if fewer than `kLeastBytes`
// arrive or leave within the idle limit, so that a server that drips one byte
// at a time is no better than a silent one.
//
//===----------------------------------------------------------------------===//

#include "Http.h"
#include "Curl.h"
#include "swizzle/Support/Json.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>
#include <csignal>

using namespace llvm;

namespace swizzle::agent {

using agent::Curl;
using agent::openCurl;

HttpClient::~HttpClient() = default;

StringRef HttpReply::header(StringRef name) const {
  auto it = headers.find(name.str());
  return it == headers.end() ? StringRef() : StringRef(it->second);
}

namespace {

constexpr curl_off_t kLeastBytes = 128;
/// How often the clock and the flag are looked at.
constexpr int kTickMs = 20;
constexpr size_t kMaxHeaderBytes = 256 * 1024;

/// A URL in its parts.
class Url {
public:
  Url(const Curl &curl, const std::string &text) : curl(curl), url(curl.url()) {
    valid = url && !curl.url_set(url, CURLUPART_URL, text.c_str(), 0);
  }
  ~Url() { curl.url_cleanup(url); }
  Url(const Url &) = delete;

  bool isValid() const { return valid; }
  std::string part(CURLUPart which) const {
    char *text = nullptr;
    if (curl.url_get(url, which, &text, 0) != CURLUE_OK)
      return "";
    std::string result = text;
    curl.free(text);
    return result;
  }

private:
  const Curl &curl;
  CURLU *url;
  bool valid = false;
};

/// What arrives during one transfer.
struct Transfer {
  explicit Transfer(const Curl &curl) : curl(curl) {}

  const Curl &curl;
  char errorText[CURL_ERROR_SIZE] = "";
  HttpReply reply;
  size_t maxBodyBytes = 0, headerBytes = 0;
  bool tooLarge = false;
  curl_off_t moved = 0; ///< bytes in both directions
  curl_off_t uploaded = 0;
};

size_t onBody(char *data, size_t size, size_t count, void *user) {
  auto &transfer = *static_cast<Transfer *>(user);
  size_t bytes = size * count;
  if (bytes > transfer.maxBodyBytes - transfer.reply.body.size()) {
    transfer.tooLarge = true;
    return 0;
  }
  transfer.reply.body.append(data, bytes);
  return bytes;
}

size_t onHeader(char *data, size_t size, size_t count, void *user) {
  auto &transfer = *static_cast<Transfer *>(user);
  size_t bytes = size * count;
  transfer.headerBytes += bytes;
  if (transfer.headerBytes > kMaxHeaderBytes) {
    transfer.tooLarge = true;
    return 0;
  }
  StringRef line(data, bytes);
  if (line.starts_with("HTTP/"))
    transfer.reply.headers.clear();
  auto [name, value] = line.split(':');
  if (name.size() != line.size())
    transfer.reply.headers[name.trim().lower()] = value.trim().str();
  return bytes;
}

int onProgress(void *user, curl_off_t, curl_off_t down, curl_off_t,
               curl_off_t up) {
  auto &transfer = *static_cast<Transfer *>(user);
  transfer.moved = down + up + curl_off_t(transfer.headerBytes);
  transfer.uploaded = up;
  return 0;
}

/// A server that goes away while TLS writes to it would raise SIGPIPE. It is
/// held back in this thread only, and taken off before it is let through again.
class HoldBackPipeSignal {
public:
  HoldBackPipeSignal() {
    sigemptyset(&pipeOnly);
    sigaddset(&pipeOnly, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    wasPending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipeOnly, &before);
  }
  ~HoldBackPipeSignal() {
    timespec none = {0, 0};
    while (!wasPending && sigtimedwait(&pipeOnly, nullptr, &none) == SIGPIPE)
      ;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

private:
  sigset_t pipeOnly, before;
  bool wasPending = false;
};

AgentErrorKind kindOf(CURLcode code) {
  switch (code) {
  case CURLE_OPERATION_TIMEDOUT:
    return AgentErrorKind::Timeout;
  case CURLE_SSL_CONNECT_ERROR:
  case CURLE_PEER_FAILED_VERIFICATION:
  case CURLE_SSL_CACERT_BADFILE:
  case CURLE_SSL_CERTPROBLEM:
  case CURLE_SSL_CIPHER:
  case CURLE_SSL_ISSUER_ERROR:
  case CURLE_SSL_INVALIDCERTSTATUS:
  case CURLE_SSL_ENGINE_NOTFOUND:
  case CURLE_SSL_ENGINE_SETFAILED:
  case CURLE_SSL_ENGINE_INITFAILED:
  case CURLE_SSL_CRL_BADFILE:
    return AgentErrorKind::Tls;
  case CURLE_URL_MALFORMAT:
  case CURLE_COULDNT_RESOLVE_PROXY:
    return AgentErrorKind::Configuration;
  case CURLE_UNSUPPORTED_PROTOCOL: // an answer that is not HTTP
  case CURLE_WEIRD_SERVER_REPLY:
  case CURLE_HTTP2:
  case CURLE_HTTP2_STREAM:
  case CURLE_BAD_CONTENT_ENCODING:
    return AgentErrorKind::Protocol;
  default:
    return AgentErrorKind::Connection;
  }
}

class CurlClient : public HttpClient {
public:
  explicit CurlClient(const AgentOptions &options) {
    auto file = [&](StringRef variable) {
      return options.lookUp(variable).value_or("");
    };
    certificateFile = file("CURL_CA_BUNDLE");
    if (certificateFile.empty())
      certificateFile = file("SSL_CERT_FILE");
    certificateFolder = file("SSL_CERT_DIR");
  }

  HttpResult post(const HttpRequest &request,
                  const HttpLimits &limits) override;

private:
  HttpResult post(const Curl &curl, const HttpRequest &request,
                  const HttpLimits &limits) const;
  void setUp(CURL *handle, const HttpRequest &request, const HttpLimits &limits,
             Transfer &transfer, curl_slist *headers) const;
  /// Runs the transfer; a failure that we decided on ourselves.
  std::optional<HttpFailure> drive(CURLM *multi, CURL *handle,
                                   const HttpRequest &request,
                                   const HttpLimits &limits,
                                   const Transfer &transfer,
                                   CURLcode &code) const;

  std::string certificateFile, certificateFolder;
};

void CurlClient::setUp(CURL *handle, const HttpRequest &request,
                       const HttpLimits &limits, Transfer &transfer,
                       curl_slist *headers) const {
  const Curl &curl = transfer.curl;
  auto set = [&](CURLoption option, auto value) {
    curl.easy_setopt(handle, option, value);
  };
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  if (!certificateFile.empty())
    set(CURLOPT_CAINFO, certificateFile.c_str());
  if (!certificateFolder.empty())
    set(CURLOPT_CAPATH, certificateFolder.c_str());
  set(CURLOPT_ACCEPT_ENCODING, "");
  set(CURLOPT_USERAGENT, "swizzle");
  set(CURLOPT_POST, 1L);
  set(CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.size()));
  set(CURLOPT_POSTFIELDS, request.body.data());
  set(CURLOPT_HTTPHEADER, headers);
  // Our headers carry the key: they are for the server, not for a proxy.
  set(CURLOPT_HEADEROPT, long(CURLHEADER_SEPARATE));
  set(CURLOPT_CONNECTTIMEOUT_MS, long(limits.connectTimeoutMs));
  set(CURLOPT_TIMEOUT_MS, long(limits.totalTimeoutMs));
  set(CURLOPT_WRITEFUNCTION, onBody);
  set(CURLOPT_WRITEDATA, static_cast<void *>(&transfer));
  set(CURLOPT_HEADERFUNCTION, onHeader);
  set(CURLOPT_HEADERDATA, static_cast<void *>(&transfer));
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, onProgress);
  set(CURLOPT_XFERINFODATA, static_cast<void *>(&transfer));
  set(CURLOPT_ERRORBUFFER, transfer.errorText);
}

std::optional<HttpFailure> CurlClient::drive(CURLM *multi, CURL *handle,
                                             const HttpRequest &request,
                                             const HttpLimits &limits,
                                             const Transfer &transfer,
                                             CURLcode &code) const {
  using Clock = std::chrono::steady_clock;
  const Curl &curl = transfer.curl;
  auto windowStart = Clock::now();
  curl_off_t windowMoved = 0;
  auto isSent = [&] {
    return transfer.uploaded >= curl_off_t(request.body.size());
  };
  for (;;) {
    int running = 0;
    if (CURLMcode error = curl.multi_perform(multi, &running))
      return HttpFailure{AgentErrorKind::Connection,
                         std::string("libcurl: ") + curl.multi_strerror(error),
                         isSent()};
    int left = 0;
    while (CURLMsg *message = curl.multi_info_read(multi, &left))
      if (message->msg == CURLMSG_DONE) {
        code = message->data.result;
        return std::nullopt;
      }
    if (limits.cancel && *limits.cancel)
      return HttpFailure{AgentErrorKind::Cancelled, "the request was cancelled",
                         isSent()};
    auto now = Clock::now();
    if (transfer.moved - windowMoved >= kLeastBytes) {
      windowMoved = transfer.moved;
      windowStart = now;
    }
    // Until there is a connection, the connect limit applies.
    curl_off_t connected = 0;
    curl.easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &connected);
    if (!connected)
      windowStart = now;
    auto idle = std::chrono::duration_cast<std::chrono::milliseconds>(
        now - windowStart);
    if (idle.count() >= limits.idleTimeoutMs)
      return HttpFailure{
          AgentErrorKind::Timeout,
          (transfer.moved > windowMoved ? "almost nothing" : "nothing") +
              (" arrived for " + Twine(limits.idleTimeoutMs) +
               " ms (idle-timeout-ms)")
                  .str(),
          isSent()};
    curl.multi_poll(multi, nullptr, 0, kTickMs, nullptr);
  }
}

HttpResult CurlClient::post(const HttpRequest &request,
                            const HttpLimits &limits) {
  Expected<const Curl *> curl = openCurl();
  if (curl)
    return post(**curl, request, limits);
  HttpResult result;
  result.failure = HttpFailure{AgentErrorKind::Configuration,
                               toString(curl.takeError()), false};
  return result;
}

HttpResult CurlClient::post(const Curl &curl, const HttpRequest &request,
                            const HttpLimits &limits) const {
  HoldBackPipeSignal quiet;
  HttpResult result;
  // Removing the handle reports progress once more: these outlive it.
  Transfer transfer(curl);
  transfer.maxBodyBytes = limits.maxBodyBytes;
  CURL *handle = curl.easy_init();
  CURLM *multi = curl.multi_init();
  curl_slist *headers = nullptr;
  scope_exit release([&] {
    if (multi && handle)
      curl.multi_remove_handle(multi, handle);
    if (handle)
      curl.easy_cleanup(handle);
    if (multi)
      curl.multi_cleanup(multi);
    curl.slist_free_all(headers);
  });
  if (!handle || !multi) {
    result.failure = HttpFailure{AgentErrorKind::Connection,
                                 "libcurl cannot be initialised", false};
    return result;
  }
  for (const auto &[name, value] : request.headers)
    headers = curl.slist_append(headers, (name + ": " + value).c_str());
  // Without this, curl waits a second for a go-ahead that few servers give.
  headers = curl.slist_append(headers, "Expect:");

  setUp(handle, request, limits, transfer, headers);
  curl.multi_add_handle(multi, handle);

  CURLcode code = CURLE_OK;
  result.failure = drive(multi, handle, request, limits, transfer, code);
  if (result.failure)
    return result;
  if (code != CURLE_OK) {
    HttpFailure failure;
    failure.kind = kindOf(code);
    failure.message = excerpt(*transfer.errorText ? transfer.errorText
                                                  : curl.easy_strerror(code));
    failure.sent = transfer.uploaded >= curl_off_t(request.body.size());
    if (transfer.tooLarge) {
      failure.kind = AgentErrorKind::TooLarge;
      failure.message = ("the answer is longer than " +
                         Twine(limits.maxBodyBytes) + " bytes (max-body-bytes)")
                            .str();
    } else if (code == CURLE_OPERATION_TIMEDOUT) {
      curl_off_t connected = 0;
      curl.easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &connected);
      bool isTotal =
          connected || limits.totalTimeoutMs <= limits.connectTimeoutMs;
      failure.message =
          ((connected ? "the answer took longer than "
                      : "there was no connection within ") +
           Twine(isTotal ? limits.totalTimeoutMs : limits.connectTimeoutMs) +
           " ms (" +
           (isTotal ? limits.totalTimeoutName : "connect-timeout-ms") + ")")
              .str();
    }
    result.failure = std::move(failure);
    return result;
  }
  result.reply = std::move(transfer.reply);
  curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &result.reply.status);
  return result;
}

} // namespace

std::unique_ptr<HttpClient> makeHttpClient(const AgentOptions &options) {
  return std::make_unique<CurlClient>(options);
}

std::string serverOf(const std::string &text) {
  Expected<const Curl *> curl = openCurl();
  if (!curl) {
    consumeError(curl.takeError()); // not possible: `checkUrl` has refused it
    return "";
  }
  Url url(**curl, text);
  if (!url.isValid())
    return "";
  std::string server =
      url.part(CURLUPART_SCHEME) + "://" + url.part(CURLUPART_HOST);
  std::string port = url.part(CURLUPART_PORT);
  return port.empty() ? server : server + ":" + port;
}

std::string checkUrl(const std::string &text) {
  Expected<const Curl *> curl = openCurl();
  if (!curl)
    return "cannot be used: " + toString(curl.takeError());
  Url url(**curl, text);
  if (!url.isValid())
    return "is no URL";
  std::string scheme = url.part(CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https")
    return "must begin with http:// or https://";
  return "";
}

} // namespace swizzle::agent
