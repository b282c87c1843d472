//===- ReadAnswerTest.cpp - Tests of reading answers ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is taken, what is refused and in which words. Samples of what a language
// model really wrote stand in Inputs/, unedited.
//
//===----------------------------------------------------------------------===//

#include "Agent/Core/Contexts.h"
#include "swizzle/Agent/Prompt/Prompt.h"
#include "swizzle/Formula/Proof/Proof.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace swizzle;

static AgentContext context() {
  AgentContext result;
  result.proposals = 3;
  return result;
}

static Answer read(llvm::StringRef text) {
  llvm::Expected<Answer> answer = readAnswer(text, context());
  EXPECT_TRUE(bool(answer)) << text.str() << "\n"
                            << llvm::toString(answer.takeError());
  return answer ? std::move(*answer) : Answer();
}

static std::string errorOf(llvm::StringRef text,
                           AgentErrorKind kind = AgentErrorKind::Schema) {
  llvm::Expected<Answer> answer = readAnswer(text, context());
  if (answer)
    return "";
  std::string message;
  llvm::handleAllErrors(answer.takeError(), [&](const AgentError &error) {
    EXPECT_EQ(error.kind, kind);
    message = error.message;
  });
  return message;
}

TEST(ReadAnswer, TheFormThatIsAskedFor) {
  Answer answer = read(R"({
    "critique": "the hit rate did not rise",
    "proposals": [{
      "limits": "L2", "change": "groups", "expect": "70 %",
      "formula": "param G in {4, 8}\nreturn x, y",
      "params": [[{"name": "G", "value": 8}], [{"name": "G", "value": 4}]]}],
    "finished": ""})");
  ASSERT_EQ(answer.proposals.size(), 1u);
  const Proposal &proposal = answer.proposals[0];
  EXPECT_EQ(proposal.critique, "the hit rate did not rise");
  EXPECT_EQ(proposal.limits, "L2");
  EXPECT_EQ(proposal.change, "groups");
  EXPECT_EQ(proposal.expectation, "70 %");
  EXPECT_EQ(proposal.formula, "param G in {4, 8}\nreturn x, y");
  EXPECT_EQ(proposal.params,
            (std::vector<ParamValues>{{{"G", 8}}, {{"G", 4}}}));
  EXPECT_FALSE(answer.finished);
}

TEST(ReadAnswer, OtherFormsThatMeanTheSame) {
  const std::string proposal =
      R"({"formula": "return x", "params": [{"G": 8}]})";
  for (const std::string &text :
       {proposal, "[" + proposal + "]", R"({"proposals": [)" + proposal + "]}",
        R"({"proposals": )" + proposal + "}", "\xef\xbb\xbf" + proposal,
        "```json\n" + proposal + "\n```",
        "Sure! The [best] order {I think} is:\n```\n" + proposal +
            "\n```\nIt deals [0, 8) to die 0. Good luck {}!",
        "<think>maybe {\"formula\": \"return y\"}?</think>" + proposal,
        std::string(R"({"formula": "return x", "params": [{"G": 8},],})")}) {
    Answer answer = read(text);
    ASSERT_EQ(answer.proposals.size(), 1u) << text;
    EXPECT_EQ(answer.proposals[0].formula, "return x");
    EXPECT_EQ(answer.proposals[0].params,
              (std::vector<ParamValues>{{{"G", 8}}}));
  }
}

TEST(ReadAnswer, ThoughtsEndOutsideOfJson) {
  const std::string proposal =
      R"({"formula": "return x", "change": "no </think> here"})";
  for (const std::string &text :
       {proposal, "<think>maybe [0, 8) or {\"</think>" + proposal,
        R"(<think>{"formula": "return </think>"}</think>)" + proposal}) {
    Answer answer = read(text);
    ASSERT_EQ(answer.proposals.size(), 1u) << text;
    EXPECT_EQ(answer.proposals[0].formula, "return x");
    EXPECT_EQ(answer.proposals[0].change, "no </think> here");
  }
}

TEST(ReadAnswer, ParametersInEveryUnambiguousForm) {
  struct {
    const char *params;
    std::vector<ParamValues> sets;
  } cases[] = {
      {"[]", {}},
      {"null", {}},
      {"{}", {}},
      {"[{}]", {}},
      {R"({"G": 8, "H": 2})", {{{"G", 8}, {"H", 2}}}},
      {R"([{"G": 8.0}, {"G": "4"}])", {{{"G", 8}}, {{"G", 4}}}},
      {R"([{"name": "G", "value": 8}, {"name": "H", "value": 2}])",
       {{{"G", 8}, {"H", 2}}}},
      {R"([{"name": "G", "value": 8}, {"name": "G", "value": 2}])",
       {{{"G", 8}}, {{"G", 2}}}},
      {R"([[{"name": "G", "value": "8"}, {"name": "H", "value": 2}]])",
       {{{"G", 8}, {"H", 2}}}},
      {R"({"name": "G", "value": 8})", {{{"G", 8}}}},
  };
  for (const auto &one : cases) {
    Answer answer = read(std::string(R"({"formula": "return x", "params": )") +
                         one.params + "}");
    ASSERT_EQ(answer.proposals.size(), 1u);
    EXPECT_EQ(answer.proposals[0].params, one.sets) << one.params;
  }
}

TEST(ReadAnswer, FormulasInEveryUnambiguousForm) {
  for (const char *formula :
       {R"("a = x\nreturn a")", R"(["a = x", "return a"])",
        R"("```python\na = x\nreturn a\n```")", "\"a = x\nreturn a\""})
    EXPECT_EQ(read(std::string(R"({"formula": )") + formula + "}")
                  .proposals[0]
                  .formula,
              "a = x\nreturn a");
}

TEST(ReadAnswer, WhatIsScatteredBelongsTogether) {
  Answer answer = read(R"(First: {"formula": "return x"}
    and second: {"formula": "return gx - 1 - x"}.)");
  EXPECT_EQ(answer.proposals.size(), 2u);
}

TEST(ReadAnswer, TwoAnswersMustBeTheSame) {
  const std::string one = R"({"proposals": [{"formula": "return x"}]})",
                    two =
                        R"({"proposals": [{"formula": "return gx - 1 - x"}]})",
                    loose = R"({"formula": "return x"})";
  EXPECT_EQ(read(one + "\nAs I said: " + one).proposals.size(), 1u);
  for (const std::string &text : {one + "\nBetter: " + two, one + loose})
    EXPECT_NE(errorOf(text).find("several JSON values that differ"),
              std::string::npos);
}

TEST(ReadAnswer, AKeyStandsOnce) {
  for (const char *text :
       {R"({"formula": "return x", "formula": "return y"})",
        R"({"proposals": [{"formula": "x", "params": [], "formula" : "y"}]})",
        R"({"answer": "{\"formula\": \"x\", \"formula\": \"y\"}"})"})
    EXPECT_NE(errorOf(text).find("has the key \"formula\" twice in one object"),
              std::string::npos)
        << text;
  EXPECT_NE(errorOf(R"({"formula": "return x", "params": {"G": 8, "G": 4}})")
                .find("the key \"G\" twice"),
            std::string::npos);
  // Colons, quotes and brackets within texts are no keys.
  EXPECT_EQ(read(R"({"formula": "return x", "limits": "{\"a\": 1, \"a\": 2}",
                     "change": "a: b", "params": [{"G": 8}, {"G": 4}]})")
                .proposals.size(),
            1u);
}

TEST(ReadAnswer, ABadByteIsNamed) {
  EXPECT_NE(errorOf("{\"proposals\xff\": [{\"formula\": \"return x\"}]}")
                .find("byte 12 of the answer, 0xFF, is no UTF-8"),
            std::string::npos);
  EXPECT_NE(errorOf("{\"proposals\": [{\"formula\xe2\": \"return x\"}]}")
                .find("has no \"formula\"; byte 25 of the answer, 0xE2"),
            std::string::npos);
}

TEST(ReadAnswer, NothingMoreIsAnAnswer) {
  EXPECT_TRUE(read(R"({"proposals": []})").finished);
  EXPECT_TRUE(read("[]").finished);
  Answer answer =
      read(R"({"critique": "", "proposals": [], "finished": "no reuse"})");
  EXPECT_TRUE(answer.finished);
  EXPECT_EQ(answer.reason, "no reuse");
}

TEST(ReadAnswer, BestFirstAndNoMoreThanAskedFor) {
  Answer answer = read(R"([{"formula": "return 1"}, {"formula": "return 2"},
                           {"formula": "return 3"}, {"formula": "return 4"}])");
  ASSERT_EQ(answer.proposals.size(), 3u);
  EXPECT_EQ(answer.proposals[2].formula, "return 3");
  EXPECT_EQ(answer.reason, "3 of 4 proposals are read: so many were asked for");
  // Nor are there ever more than 64, and nobody looks at the rest.
  std::string list = "7]";
  for (unsigned i = 0; i < 64; ++i)
    list = R"({"formula": "return x, y"}, )" + list;
  list.insert(0, "[");
  EXPECT_EQ(read(list).reason,
            "3 of 65 proposals are read: so many were asked for");
  AgentContext more = context();
  more.proposals = 100;
  answer = llvm::cantFail(readAnswer(list, more));
  EXPECT_EQ(answer.proposals.size(), 64u);
  EXPECT_EQ(answer.reason,
            "64 of 65 proposals are read: there may not be more");
}

TEST(ReadAnswer, MistakesAreNamed) {
  struct {
    const char *text, *message;
  } cases[] = {
      {"", "the answer is empty"},
      {"  \n", "the answer is empty"},
      {"I cannot help with that.", "holds no JSON"},
      {R"({"answer": 42})", "neither \"proposals\" nor \"formula\""},
      {R"({"formula": "return x)", "never closed"},
      {R"({"proposals": [{"formula": "return x"}, {"change": "y"}]})",
       "proposals[1] has no \"formula\""},
      {R"({"proposals": "return x"})", "proposals is a text"},
      {R"({"proposals": [42]})", "proposals[0] is a number"},
      {R"({"formula": 7})", "the proposal.formula is a number"},
      {R"({"formula": "  "})", "the proposal.formula is empty"},
      {R"({"formula": ["a = x", 3]})", "has a line that is a number"},
      {R"({"formula": "return x", "params": 8})", "params is a number"},
      {R"({"formula": "return x", "params": [8]})", "params[0] is a number"},
      {R"({"formula": "return x", "params": [{"G": 8.5}]})",
       "params[0].G is not an integer"},
      {R"({"formula": "return x", "params": [{"G": "eight"}]})",
       "params[0].G is a text that is no integer"},
      {R"({"formula": "return x", "params": [{"G": [4, 8]}]})",
       "params[0].G is a list; it takes an integer"},
      {R"({"formula": "return x", "params": [
           [{"name": "G", "value": 8}, {"name": "G", "value": 4}]]})",
       "params[0] has 'G' twice"},
      {R"({"formula": "return x", "params": [{"name": "G", "value": 8},
           {"name": "H", "value": 4}, {"name": "G", "value": 2}]})",
       "mixes parameters of several sets"},
      {R"({"formula": "return x", "limits": 3})", "limits is a number"},
  };
  for (const auto &one : cases) {
    std::string message = errorOf(one.text);
    EXPECT_NE(message.find(one.message), std::string::npos) << one.text << "\n"
                                                            << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(ReadAnswer, OddCharactersDoNoHarm) {
  EXPECT_EQ(read("{\"formula\": \"return x\", \"change\": \"caf\xc3\xa9 "
                 "\xe2\x86\x92\"}")
                .proposals[0]
                .change,
            "caf\xc3\xa9 \xe2\x86\x92");
  Answer answer = read(llvm::StringRef(
      "{\"formula\": \"return x\", \"change\": \"\x01\xff\0\"}", 42));
  EXPECT_TRUE(llvm::json::isUTF8(answer.proposals[0].change));
}

TEST(ReadAnswer, HugeAndDeepAnswersEnd) {
  EXPECT_NE(errorOf(std::string(size_t(2) << 20, 'x'), AgentErrorKind::TooLarge)
                .find("2097152 bytes"),
            std::string::npos);
  EXPECT_NE(errorOf(std::string(size_t(1) << 19, '[')), "");
  EXPECT_NE(errorOf(std::string(size_t(1) << 19, '{')), "");
  std::string pairs;
  while (pairs.size() < size_t(1) << 19)
    pairs += "{[\"";
  EXPECT_NE(errorOf(pairs), "");
  // Longer than any formula: the parser of formulas says so.
  Answer answer = read(R"({"formula": ")" + std::string(100000, 'x') + "\"}");
  EXPECT_EQ(answer.proposals[0].formula.size(), Formula::maxTextBytes + 1);
}

TEST(ReadAnswer, WhatAModelWrote) {
  for (auto [file, count] :
       {std::pair("answer1.json", 3), std::pair("answer2.json", 3),
        std::pair("answer5.json", 3)}) {
    auto buffer =
        llvm::MemoryBuffer::getFile(std::string(SWIZZLE_SOURCE_DIR) +
                                    "/unittests/Agent/Prompt/Inputs/" + file);
    ASSERT_TRUE(bool(buffer)) << file;
    Answer answer = read((*buffer)->getBuffer());
    ASSERT_EQ(answer.proposals.size(), size_t(count));
    for (const Proposal &proposal : answer.proposals) {
      llvm::Expected<Formula> formula = Formula::parse(proposal.formula);
      ASSERT_TRUE(bool(formula)) << llvm::toString(formula.takeError());
      EXPECT_FALSE(proposal.limits.empty() || proposal.change.empty() ||
                   proposal.expectation.empty());
      for (const ParamValues &set : proposal.params)
        EXPECT_EQ(set.size(), formula->params().size());
    }
  }
}

TEST(ReadAnswer, AnEmptyAnswerBehindAValidOneTakesNothingBack) {
  const char *valid =
      "{\"proposals\": [{\"formula\": \"return y, x\"}], \"finished\": \"\"}";
  for (const char *empty :
       {"{\"proposals\": [], \"finished\": \"\"}",
        "{\"proposals\": [], \"finished\": \"that is all\"}",
        "{\"finished\": \"\"}", "{\"proposals\": null}", "[]", "{}"}) {
    Answer answer = read(std::string(valid) + "\nDone.\n" + empty);
    EXPECT_EQ(answer.proposals.size(), 1u) << empty;
    EXPECT_FALSE(answer.finished) << empty;
  }
  // Without one that does, an empty answer is an answer.
  EXPECT_TRUE(read("{\"proposals\": [], \"finished\": \"no\"}").finished);
}

TEST(ReadAnswer, AWrapperAndAnotherNameOfTheFormula) {
  for (const char *text :
       {R"({"answer": {"proposals": [{"formula": "return y, x"}]}})",
        R"({"answer": [{"code": "return y, x"}]})",
        R"({"answer": {"code": "return y, x"}})",
        R"({"answer": "{\"proposals\": [{\"formula\": \"return y, x\"}]}"})",
        R"({"proposals": [{"code": "return y, x", "params": []}]})",
        R"({"code": ["return y, x"]})"}) {
    Answer answer = read(text);
    ASSERT_EQ(answer.proposals.size(), 1u) << text;
    EXPECT_EQ(llvm::StringRef(answer.proposals[0].formula).trim(),
              "return y, x");
  }
  EXPECT_TRUE(
      read(R"({"answer": {"proposals": [], "finished": "no"}})").finished);
  EXPECT_NE(errorOf(R"({"answer": 42})"), "");
  EXPECT_NE(errorOf(R"({"answer": "see above"})"), "");
}

TEST(RepairTurn, QuotesTheProblemAndRepeatsTheSchema) {
  std::string schema = answerSchema(context());
  llvm::Expected<std::string> text = renderRepair("a\nb", schema);
  ASSERT_TRUE(bool(text));
  EXPECT_NE(text->find("| a\n| b\n"), std::string::npos) << *text;
  EXPECT_NE(text->find(schema), std::string::npos) << *text;
}
