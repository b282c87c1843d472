//===- PrintModel.cpp - A kernel model as text ----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//
// One function for each kind of statement; nested ones are indented.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/PrintModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

namespace swizzle {

static const char *nameOf(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "read";
  case AccessKind::Write:
    return "write";
  case AccessKind::Atomic:
    return "atomic";
  }
  return "";
}

static const char *nameOf(Issuer issuer) {
  switch (issuer) {
  case Issuer::Thread:
    return "";
  case Issuer::Subgroup:
    return " per subgroup";
  case Issuer::Workgroup:
    return " per workgroup";
  }
  return "";
}

namespace {
struct Printer {
  const KernelModel &model;
  llvm::raw_ostream &os;

  void body(const std::vector<Statement> &statements, unsigned depth) {
    for (const Statement &statement : statements)
      std::visit([&](const auto &node) { print(node, depth); }, statement.node);
  }

  void extent(int64_t bytes, const std::vector<BoxDim> &box, Issuer issuer) {
    os << " " << bytes << " bytes";
    for (const BoxDim &dim : box)
      os << " x " << dim.count << " at " << dim.stride;
    os << nameOf(issuer);
  }
  void print(const WorkgroupAccess &access, unsigned depth) {
    os.indent(depth) << nameOf(access.kind) << " workgroup ";
    if (access.buffer < 0)
      os << "memory";
    else
      os << model.workgroupBuffers[access.buffer].name;
    if (access.address)
      os << "[" << toString(model, *access.address) << "]";
    else
      os << "[?]";
    extent(access.bytes, access.box, access.issuer);
    if (access.lanes)
      os << " in the first " << access.lanes << " lanes";
    os << "\n";
  }
  void print(const Issue &step, unsigned depth) {
    os.indent(depth) << "issue " << llvm::format("%.0f", step.instructions)
                     << " instructions\n";
  }
  void print(const Access &access, unsigned depth) {
    os.indent(depth) << nameOf(access.kind) << " "
                     << model.buffers[access.buffer].name << "["
                     << toString(model, access.address) << "]";
    extent(access.bytes, access.box, access.issuer);
    if (!access.update.empty())
      os << " " << access.update;
    os << (access.assumed ? ", assumed\n" : "\n");
  }
  void print(const Compute &step, unsigned depth) {
    os.indent(depth) << "compute " << llvm::format("%.0f", step.flops)
                     << (step.tensor ? " tensor" : "") << " flops"
                     << nameOf(step.issuer) << "\n";
  }
  void print(const Barrier &, unsigned depth) {
    os.indent(depth) << "barrier\n";
  }
  void print(const Loop &loop, unsigned depth) {
    os.indent(depth) << "loop " << model.variables[loop.counter].name << " < ";
    if (loop.tripCounts.size() > 1)
      os << "min(";
    llvm::interleaveComma(loop.tripCounts, os, [&](const AffineForm &trip) {
      os << toString(model, trip);
    });
    if (loop.tripCounts.size() > 1)
      os << ")";
    os << "\n";
    body(loop.body, depth + 2);
  }
  void print(const Guard &guard, unsigned depth) {
    os.indent(depth) << "if ";
    llvm::interleave(
        guard.conditions, os,
        [&](const Condition &condition) {
          os << toString(model, condition.form)
             << (condition.equality ? " == 0" : " >= 0");
        },
        " and ");
    os << "\n";
    body(guard.body, depth + 2);
    if (guard.otherwise.empty())
      return;
    os.indent(depth) << "else\n";
    body(guard.otherwise, depth + 2);
  }
};
} // namespace

void printModel(const KernelModel &model, llvm::raw_ostream &os) {
  auto extents = [&](const Grid &grid) {
    os << grid.x() << "x" << grid.y() << "x" << grid.z();
  };
  os << "kernel @";
  if (!model.module.empty())
    os << model.module << "::@";
  os << model.name << " grid ";
  extents(model.grid);
  os << " block ";
  extents(model.block);
  if (model.workgroupMemoryBytes)
    os << " workgroup memory " << model.workgroupMemoryBytes << " bytes";
  if (model.registersPerThread)
    os << " registers " << model.registersPerThread;
  else if (model.dataRegisters)
    os << " data registers " << model.dataRegisters;
  os << "\n";
  for (const Buffer &buffer : model.buffers) {
    os << "  buffer " << buffer.name << " ";
    if (buffer.bytes < 0)
      os << "?";
    else
      os << buffer.bytes;
    os << " bytes of " << buffer.elementBytes
       << (buffer.noAlias ? " noalias" : "") << "\n";
  }
  for (const WorkgroupBuffer &buffer : model.workgroupBuffers) {
    os << "  workgroup buffer " << buffer.name << " ";
    if (buffer.bytes < 0)
      os << "?";
    else
      os << buffer.bytes;
    os << " bytes\n";
  }
  Printer{model, os}.body(model.body, 2);
  for (const NotModelled &entry : model.notModelled)
    if (!entry.assumed)
      os << "  not modelled: " << nameOf(entry.kind) << " by " << entry.what
         << ": " << entry.reason << "\n";
  for (const std::string &line : model.unreached)
    os << "  never reached: " << line << "\n";
  for (const std::string &line : describeAssumptions(model))
    os << "  assumed: " << line << "\n";
}

} // namespace swizzle
