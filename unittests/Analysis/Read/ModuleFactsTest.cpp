//===- ModuleFactsTest.cpp - One walk finds what many would ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a module's facts say of each symbol is compared with a walk for that
// symbol alone. And a module of tens of thousands of kernels is asked about
// each: not measured in seconds, but whoever walks the module for each of them
// does not end.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace swizzle;

namespace {

/// Kernels of one name in two modules, one that is private, one that is called,
/// one whose address is taken.
constexpr const char *kUses = R"(
gpu.module @a {
  gpu.func @k() kernel { gpu.return }
  llvm.func @called() attributes {gpu.kernel} {
    llvm.call @called() : () -> ()
    llvm.return
  }
  llvm.func @taken() attributes {gpu.kernel} { llvm.return }
  llvm.func @helper() {
    llvm.call @called() : () -> ()
    %address = llvm.mlir.addressof @taken : !llvm.ptr
    llvm.return
  }
}
gpu.module @b attributes {sym_visibility = "private"} {
  gpu.func @k() kernel { gpu.return }
}
gpu.module @c attributes {sym_visibility = "private"} {
  gpu.func @k() kernel { gpu.return }
  gpu.func @named() kernel { gpu.return }
}
func.func @main(%n: index) attributes {likes = @c::@named} {
  gpu.launch_func @a::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  gpu.launch_func @b::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  gpu.launch_func @c::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  gpu.launch_func @a::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}
)";

class ModuleFactsTest : public testing::Test {
protected:
  ModuleFactsTest() {
    context.allowUnregisteredDialects();
    context.loadDialect<arith::ArithDialect, gpu::GPUDialect, func::FuncDialect,
                        LLVM::LLVMDialect>();
  }

  /// Without the verifier, which looks launches up one by one.
  void parse(const std::string &text) {
    module = parseSourceString<ModuleOp>(
        text, ParserConfig(&context, /*verifyAfterParse=*/false));
    ASSERT_TRUE(module);
  }
  FunctionOpInterface function(StringRef table, StringRef name) {
    auto path = SymbolRefAttr::get(&context, table,
                                   FlatSymbolRefAttr::get(&context, name));
    return cast<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(*module, path));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// Uses of `symbol` in all of `module`, by MLIR's own walk.
std::vector<Operation *> usersOf(Operation *symbol, ModuleOp module) {
  std::vector<Operation *> users;
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(symbol, module.getOperation());
  for (SymbolTable::SymbolUse use : *uses)
    users.push_back(use.getUser());
  return users;
}

TEST_F(ModuleFactsTest, SaysWhatAWalkForEachSymbolSays) {
  parse(kUses);
  ModuleFacts facts(function("a", "k"));
  unsigned symbols = 0;
  module->walk([&](SymbolOpInterface symbol) {
    std::vector<Operation *> users = usersOf(symbol, *module), found;
    EXPECT_EQ(facts.isOnlyLaunched(symbol),
              llvm::all_of(users, llvm::IsaPred<gpu::LaunchFuncOp>))
        << symbol.getName().str();
    auto function = dyn_cast<FunctionOpInterface>(symbol.getOperation());
    if (!function)
      return;
    llvm::append_range(found, facts.launchesOf(function));
    llvm::append_range(found, facts.callsOf(function));
    llvm::append_range(found, facts.addressesOf(function));
    llvm::erase_if(users, llvm::IsaPred<func::FuncOp>); // an attribute
    llvm::sort(found);
    llvm::sort(users);
    EXPECT_EQ(found, users) << symbol.getName().str();
    ++symbols;
  });
  EXPECT_EQ(symbols, 8u);
}

TEST_F(ModuleFactsTest, KeepsTheOrderOfLaunches) {
  parse(kUses);
  ModuleFacts facts(*module);
  auto launches = facts.launchesOf(function("a", "k"));
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_TRUE(launches[0]->isBeforeInBlock(launches[1]));
}

TEST_F(ModuleFactsTest, TellsPrivateFromVisible) {
  parse(kUses);
  ModuleFacts facts(*module);
  auto isVisible = [&](StringRef table, StringRef name) {
    return findLaunchSizes(function(table, name), std::nullopt, std::nullopt,
                           facts)
        .isVisible;
  };
  EXPECT_TRUE(isVisible("a", "k"));
  EXPECT_FALSE(isVisible("b", "k"));
  // Something else gets hold of the module that it is in.
  EXPECT_TRUE(isVisible("c", "k"));
}

TEST_F(ModuleFactsTest, SeesUnknownTables) {
  parse(R"(
    gpu.module @a {
      llvm.func @k() attributes {gpu.kernel} { llvm.return }
      "other.table"() ({ "other.uses"() {what = @k} : () -> () }) : () -> ()
    }
    gpu.module @b attributes {sym_visibility = "private"} {
      llvm.func @k() attributes {gpu.kernel} { llvm.return }
    }
  )");
  ModuleFacts facts(*module);
  EXPECT_TRUE(facts.isBesideUnknown(function("a", "k")));
  EXPECT_FALSE(facts.isOnlyLaunched(function("a", "k")));
  EXPECT_FALSE(facts.isBesideUnknown(function("b", "k")));
  EXPECT_TRUE(facts.isOnlyLaunched(function("b", "k")));
}

TEST_F(ModuleFactsTest, FindsReservedNamesBelowOneModule) {
  parse(R"(
    gpu.module @a {
      llvm.func @k() attributes {gpu.kernel} { llvm.return }
      llvm.func @swizzle.ptx.7()
    }
    gpu.module @b { llvm.func @k() attributes {gpu.kernel} { llvm.return } }
  )");
  ModuleFacts facts(*module);
  EXPECT_EQ(facts.findReserved(function("a", "k")->getParentOp()),
            function("a", "swizzle.ptx.7").getOperation());
  EXPECT_EQ(facts.findReserved(function("b", "k")->getParentOp()), nullptr);
}

TEST_F(ModuleFactsTest, ManyKernelsOfOneNameAreOneWalk) {
  constexpr int64_t many = 20'000;
  std::string text, launches;
  for (int64_t i = 0; i < many; ++i) {
    std::string name = "@m" + std::to_string(i);
    text += "gpu.module " + name +
            " attributes {sym_visibility = \"private\"} {\n"
            "  gpu.func @k() kernel { gpu.return }\n}\n";
    std::string extent = "%n" + std::to_string(i);
    std::string grid = "(" + extent + ", " + extent + ", " + extent + ")";
    launches += "  " + extent + " = arith.constant " + std::to_string(i + 1) +
                " : index\n  gpu.launch_func " + name + "::@k blocks in " +
                grid + " threads in " + grid + "\n";
  }
  parse(text + "func.func @main() {\n" + launches + "  return\n}\n");
  ModuleFacts facts(*module);
  int64_t next = 0;
  for (auto table : module->getOps<gpu::GPUModuleOp>())
    for (auto kernel : table.getOps<FunctionOpInterface>()) {
      LaunchSizes sizes =
          findLaunchSizes(kernel, std::nullopt, std::nullopt, facts);
      EXPECT_EQ(sizes.gridSource, SizeSource::PrivateLaunches);
      ++next;
    }
  EXPECT_EQ(next, many);
}

} // namespace
