//===- Run.cpp - What one run of swizzle-opt tells and writes -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hash of a split input is that of its modules' hashes.
//
//===----------------------------------------------------------------------===//

#include "Run.h"

#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Planning/Report.h"
#include "swizzle/Planning/Summary.h"
#include "swizzle/Support/Hash.h"
#include "swizzle/Transforms/PlanListener.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace swizzle {

namespace {
/// Hands over to the run.
class Listener : public PlanListener {
public:
  Listener(mlir::Dialect *dialect, Run &run)
      : PlanListener(dialect), run(run) {}

  llvm::Error check(std::vector<FileRole> files) const override {
    return run.check(std::move(files));
  }
  void planned(const std::vector<PlannedKernel> &kernels,
               llvm::StringRef report,
               llvm::StringRef inputHash) const override {
    run.planned(kernels, report, inputHash);
  }

private:
  Run &run;
};

class AttachListener
    : public mlir::DialectExtension<AttachListener, SwizzleDialect> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AttachListener)

  explicit AttachListener(Run &run) : run(&run) {}

  void apply(mlir::MLIRContext *, SwizzleDialect *dialect) const override {
    dialect->addInterface(std::make_unique<Listener>(dialect, *run));
  }

private:
  Run *run;
};
} // namespace

void Run::listenIn(mlir::DialectRegistry &registry) {
  registry.addExtension(mlir::TypeID::get<AttachListener>(),
                        std::make_unique<AttachListener>(*this));
}

llvm::Error Run::check(std::vector<FileRole> more) const {
  more.insert(more.begin(), files.begin(), files.end());
  return checkDistinct(more);
}

void Run::planned(const std::vector<PlannedKernel> &kernels,
                  llvm::StringRef report, llvm::StringRef inputHash) {
  std::lock_guard<std::mutex> lock(mutex);
  llvm::append_range(lines, summariseAll(kernels));
  if (report.empty())
    return;
  auto same = llvm::find_if(
      reports, [&](const Report &one) { return one.path == report; });
  if (same == reports.end())
    same = reports.insert(reports.end(), {report.str(), {}, {}});
  same->kernels.insert(same->kernels.end(), kernels.begin(), kernels.end());
  same->hashes.push_back(inputHash.str());
}

llvm::Error Run::finish(WholeFile output) {
  std::vector<WholeFile> written{std::move(output)};
  for (const Report &report : reports) {
    std::string hash = report.hashes.size() == 1
                           ? report.hashes.front()
                           : hashText(llvm::join(report.hashes, "\n"));
    written.push_back(
        {"the report", report.path, printReport(report.kernels, hash)});
  }
  if (llvm::Error error = writeFilesWhole(written))
    return error;
  for (const std::string &line : lines)
    llvm::errs() << line << '\n';
  return llvm::Error::success();
}

} // namespace swizzle
