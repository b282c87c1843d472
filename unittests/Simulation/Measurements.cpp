//===- Measurements.cpp - Measured rows, and their models -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Measurements.h.
//
//===----------------------------------------------------------------------===//

#include "Measurements.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

namespace swizzle::models {

namespace {

llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Expected<llvm::json::Value> parseFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return fail(path + ": " + buffer.getError().message());
  return llvm::json::parse((*buffer)->getBuffer());
}

/// The model called `name` with these arguments; no threads if there is none.
KernelModel makeModel(llvm::StringRef name, const std::vector<int64_t> &a) {
  auto is = [&](llvm::StringRef other, size_t arguments) {
    return name == other && a.size() == arguments;
  };
  if (is("gemm_fp16", 3)) {
    // Its instructions were not counted. As many are stated as take the time
    // that is measured, which is the same for a step in all rows.
    KernelModel model = gemmFp16(a[0], a[1], a[2]);
    std::get<Loop>(model.body[0].node).body.push_back({Issue{560}});
    return model;
  }
  if (is("gemm_naive", 3))
    return gemmNaive(a[0], a[1], a[2]);
  if (is("star3d", 4))
    return star3d(a[0], a[1], a[2], a[3]);
  if (is("star2d", 5))
    return star2d(a[0], a[1], a[2], a[3], a[4]);
  if (is("transpose_naive", 3))
    return transposeNaive(a[0], a[1], a[2]);
  if (is("transpose_tiled", 3))
    return transposeTiled(a[0], a[1], a[2]);
  if (is("rowwise", 5))
    return rowwise(a[0], a[1], a[2], a[3], a[4]);
  if (is("elementwise", 4))
    return elementwise(a[0], a[1], a[2], a[3]);
  return KernelModel::create({0}, {0});
}

Order makeOrder(llvm::StringRef name, int64_t parameter, const Grid &grid) {
  if (name == "row-major")
    return rowMajor(grid);
  if (name == "column-major")
    return columnMajor(grid);
  if (name == "rows in groups" && parameter > 0)
    return groupedRows(grid, parameter);
  if (name == "bands through z" && parameter > 0)
    return bandsThroughZ(grid, parameter);
  return {};
}

} // namespace

llvm::Expected<MeasuredChip> readMeasurements(llvm::StringRef path) {
  auto root = parseFile(path);
  if (!root)
    return root.takeError();
  const llvm::json::Object *object = root->getAsObject();
  const llvm::json::Array *rows = object ? object->getArray("rows") : nullptr;
  auto chip = object ? object->getString("chip") : std::nullopt;
  if (!rows || !chip)
    return fail(path + ": expected an object with `chip` and `rows`");
  return MeasuredChip{chip->str(), rows->size()};
}

llvm::Expected<Measurement> readMeasurement(llvm::StringRef path,
                                            size_t index) {
  auto root = parseFile(path);
  if (!root)
    return root.takeError();
  const llvm::json::Object *row =
      (*root->getAsObject()->getArray("rows"))[index].getAsObject();
  auto wrong = [&](const char *what) {
    return fail(path + ": row " + llvm::Twine(index) + ": " + what);
  };
  if (!row)
    return wrong("not an object");
  auto kernel = row->getString("kernel"), order = row->getString("order");
  const llvm::json::Array *arguments = row->getArray("args");
  if (!kernel || !order || !arguments)
    return wrong("`kernel`, `args` or `order` is missing");
  Measurement result;
  std::vector<int64_t> values;
  result.name = kernel->str();
  for (const llvm::json::Value &value : *arguments) {
    values.push_back(value.getAsInteger().value_or(0));
    result.name +=
        (values.size() > 1 ? "x" : " ") + std::to_string(values.back());
  }
  int64_t parameter = row->getInteger("parameter").value_or(0);
  result.name += ", " + order->str();
  if (parameter)
    result.name += " " + std::to_string(parameter);
  result.fitted = row->getString("set").value_or("") == "fitted";
  result.model = makeModel(*kernel, values);
  if (result.model.threads() == 0)
    return wrong("there is no such kernel");
  result.model.registersPerThread = row->getInteger("registers").value_or(0);
  result.order = makeOrder(*order, parameter, result.model.grid);
  if (result.order.empty())
    return wrong("there is no such order");
  result.dramReadBytes = row->getNumber("dram_read_bytes");
  result.dramWriteBytes = row->getNumber("dram_write_bytes");
  result.l2HitRate = row->getNumber("l2_hit_rate");
  result.l1HitRate = row->getNumber("l1_hit_rate");
  result.timeUs = row->getNumber("time_us");
  return result;
}

} // namespace swizzle::models
