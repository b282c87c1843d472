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

TEST(SecretsTest, EscapesAsJsonMayHaveThem) {
  Secrets secrets = makeSecrets({{"OPENAI_API_KEY", "key-\"1\\2-äsecret"}});
  // "\\\\u006b": JSON within a text of JSON.
  for (const char *text :
       {R"(\u006bey-\"1\\2-\u00e4secret)", R"(key\u002D\u00221\\2-äsecret)",
        R"(\\u006bey-\\\"1\\\\2-\\u00E4secret)"})
    EXPECT_EQ(secrets.redact("\\n" + std::string(text) + "\\n"), R"(\n***\n)");
  EXPECT_EQ(secrets.redact(R"(C:\new \u00e4 \ud800 \u12 \)"),
            R"(C:\new \u00e4 \ud800 \u12 \)");
}

TEST(SecretsTest, KeysThatAreCutOff) {
  Secrets secrets = makeSecrets({{"OPENAI_API_KEY", "sk-proj-0123456789"}});
  EXPECT_EQ(secrets.redact("got sk-proj-012345..., no sk-proj-0124"),
            "got ***..., no sk-proj-0124");
  EXPECT_EQ(secrets.redact("sk-proj-012"), "sk-proj-012");
}

TEST(SecretsTest, TextsOfTheBodyAndOfTheQuery) {
  AgentOptions options;
  options.environment = makeEnvironment(
      {{"ANTHROPIC_BASE_URL", "http://host/?token=from%2Denvironment"}});
  options.extraBody = R"({"user": "me", "deep": [{"token": "abcdefgh-1234"}],
                          "route": "xcd-balanced",
                          "system": "Be as brief as you can"})";
  options.baseUrl = "http://host/v1?api-version=1&code=ABCDEFGHIJ#end";
  Secrets secrets = findSecrets(options);
  EXPECT_EQ(secrets.redact("me: abcdefgh-1234 ABCDEFGHIJ from-environment"),
            "me: *** *** ***");
  EXPECT_EQ(secrets.redact("from%2Denvironment"), "***");
  // Sentences and words are no keys: a formula may be called like one.
  EXPECT_EQ(secrets.redact("Be as brief as you can."),
            "Be as brief as you can.");
  EXPECT_EQ(secrets.redact("@xcd-balanced"), "@xcd-balanced");
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
