//===- SecretsTest.cpp - Keys are masked ----------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys as they are and encoded, passwords in URLs, and what is no secret.
//
//===----------------------------------------------------------------------===//

#include "Agent/Core/Helpers.h"

#include "llvm/Support/Base64.h"
#include "gtest/gtest.h"

using namespace swizzle;
using namespace swizzle::agent;
using namespace llvm;

namespace {

Secrets makeSecrets(std::map<std::string, std::string> variables,
                    std::string keyVariable = "") {
  AgentOptions options;
  options.environment = makeEnvironment(std::move(variables));
  options.keyVariable = std::move(keyVariable);
  return findSecrets(options);
}

TEST(SecretsTest, KeysOfAllDialectsAndTheNamedOne) {
  Secrets secrets = makeSecrets({{"OPENAI_API_KEY", "sk-aaaaaaaa"},
                                 {"ANTHROPIC_API_KEY", "sk-bbbbbbbb\n"},
                                 {"MINE", "cccccccccc"}},
                                "MINE");
  EXPECT_EQ(secrets.redact("x sk-aaaaaaaa, sk-bbbbbbbb and cccccccccc."),
            "x ***, *** and ***.");
}

TEST(SecretsTest, EncodedForms) {
  Secrets secrets = makeSecrets({{"OPENAI_API_KEY", "key+with/odd=signs"}});
  EXPECT_EQ(secrets.redact("?k=key%2Bwith%2Fodd%3Dsigns&"), "?k=***&");
  EXPECT_EQ(secrets.redact(encodeBase64(StringRef("key+with/odd=signs"))),
            "***");
}

TEST(SecretsTest, SlashesAsJsonMayHaveThem) {
  Secrets secrets = makeSecrets({{"OPENAI_API_KEY", "key/with/slashes"}});
  EXPECT_EQ(secrets.redact(R"("key\/with\/slashes")"), R"("***")");
}

TEST(SecretsTest, EveryTextOfJson) {
  Secrets secrets = makeSecrets({{"OPENAI_API_KEY", "sk-\"aaaaaaaa"}});
  json::Object object{
      {"text", "x sk-\"aaaaaaaa"},
      {"list", json::Array{1, "sk-\"aaaaaaaa", json::Object{{"deep", "no"}}}},
      {"number", 5},
      {"none", nullptr}};
  json::Object redacted{
      {"text", "x ***"},
      {"list", json::Array{1, "***", json::Object{{"deep", "no"}}}},
      {"number", 5},
      {"none", nullptr}};
  EXPECT_EQ(secrets.redactTexts(std::move(object)), redacted);
}

TEST(SecretsTest, ShortKeysAreNoSecret) {
  EXPECT_EQ(makeSecrets({{"OPENAI_API_KEY", "none"}}).redact("none of it"),
            "none of it");
}

TEST(SecretsTest, PasswordsOfUrls) {
  Secrets secrets = makeSecrets({});
  EXPECT_EQ(secrets.redact("proxy http://me:secret@proxy.example:3128/ failed"),
            "proxy http://***@proxy.example:3128/ failed");
  EXPECT_EQ(secrets.redact("http://host/a@b"), "http://host/a@b");
  EXPECT_EQ(secrets.redact("http://a:b@c@host"), "http://***@host");
}

} // namespace
