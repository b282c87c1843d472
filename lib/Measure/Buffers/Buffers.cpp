//===- Buffers.cpp - The buffers and arguments of a job -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A memref whose size the IR leaves open is passed as pointer, aligned pointer,
// offset, sizes and strides; every other argument is one value.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"

#include "CompareElements.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace swizzle::measuring {

/// What outputs hold before a kernel runs.
static constexpr unsigned char kPoison = 0xa5;

/// Bytes that one thread fills at least.
static constexpr int64_t kLeastPart = int64_t(32) << 20;

/// The state of a generator wraps; a seed may be as large as there are.
static int64_t addSeeds(int64_t seed, int64_t more) {
  return int64_t(uint64_t(seed) + uint64_t(more));
}

/// As `fillBuffer`, with all cores: an element's number is made of the seed and
/// its place alone.
static void fillQuickly(unsigned char *to, const BufferArgument &buffer) {
  int64_t size =
      sizeOf(buffer.type) ? sizeOf(buffer.type) : buffer.elementBytes;
  int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  int64_t elements =
      std::max(kLeastPart, buffer.bytes / cores) / std::max<int64_t>(size, 1) +
      1;
  std::vector<std::thread> threads;
  for (int64_t first = 0; first * size < buffer.bytes; first += elements) {
    BufferArgument part = buffer;
    part.bytes = std::min(elements * size, buffer.bytes - first * size);
    part.fill.seed = addSeeds(part.fill.seed, first);
    threads.emplace_back(
        [to = to + first * size, part] { fillBuffer(to, part); });
  }
  for (std::thread &thread : threads)
    thread.join();
}

JobBuffers::~JobBuffers() {
  for (Slot &slot : slots)
    if (slot.pointer)
      driver.release(slot.pointer);
}

/// Merges the buffers of all launches by name.
std::string JobBuffers::collect() {
  slots.clear();
  for (const LaunchDescription &launch : job.launches)
    for (const LaunchArgument &argument : launch.arguments) {
      auto *buffer = std::get_if<BufferArgument>(&argument.value);
      if (!buffer)
        continue;
      auto known =
          std::find_if(slots.begin(), slots.end(), [&](const Slot &slot) {
            return slot.name == argument.name;
          });
      if (known == slots.end()) {
        slots.push_back({*buffer, argument.name, 0, {}, -1});
        continue;
      }
      if (known->shape.bytes != buffer->bytes)
        return "buffer '" + argument.name + "' has " +
               std::to_string(known->shape.bytes) +
               " bytes in one launch and " + std::to_string(buffer->bytes) +
               " in another";
      // What one launch reads and another one writes has both directions; who
      // comes first decides what it holds before.
      if (known->shape.direction != buffer->direction &&
          known->shape.direction != Direction::Out)
        known->shape.direction = Direction::InOut;
    }
  return "";
}

uint64_t JobBuffers::bytes() const {
  uint64_t sum = 0;
  for (const Slot &slot : slots)
    sum += uint64_t(slot.shape.bytes);
  return sum;
}

std::string JobBuffers::allocate(uint64_t reserve) {
  std::string wrong = collect();
  uint64_t free = 0, total = 0;
  if (wrong.empty())
    wrong = driver.memory(free, total);
  if (!wrong.empty())
    return wrong;
  if (bytes() + reserve > free)
    return "the job needs " + std::to_string(bytes()) + " bytes and " +
           std::to_string(reserve) + " for clearing the caches, but " +
           std::to_string(free) + " of " + std::to_string(total) +
           " bytes of the device are free";
  for (Slot &slot : slots) {
    // A pointer that nobody uses still has to be one.
    uint64_t size = std::max<uint64_t>(uint64_t(slot.shape.bytes), 16);
    if (wrong = driver.allocate(size, slot.pointer); !wrong.empty())
      return wrong + " (buffer '" + slot.name + "', " + std::to_string(size) +
             " bytes)";
  }
  return "";
}

std::string JobBuffers::reset(int64_t salt) {
  for (Slot &slot : slots) {
    BufferArgument shape = slot.shape;
    if (shape.bytes == 0)
      continue;
    std::string wrong;
    if (shape.direction == Direction::Out) {
      wrong = driver.fill(slot.pointer, kPoison, uint64_t(shape.bytes));
    } else {
      // What is only read is still there.
      if (slot.salt == salt && shape.direction == Direction::In)
        continue;
      if (slot.salt != salt) {
        shape.fill.seed = addSeeds(shape.fill.seed, salt);
        slot.contents.resize(size_t(shape.bytes));
        fillQuickly(slot.contents.data(), shape);
        slot.salt = salt;
      }
      wrong = driver.copyIn(slot.pointer, slot.contents.data(),
                            slot.contents.size());
    }
    if (!wrong.empty())
      return wrong;
  }
  return driver.synchronize();
}

std::string JobBuffers::readOutputs(std::vector<unsigned char> &bytes) {
  auto isOutput = [](const Slot &slot) {
    return slot.shape.direction != Direction::In && slot.shape.bytes > 0;
  };
  size_t total = 0, at = 0;
  for (const Slot &slot : slots)
    total += isOutput(slot) ? size_t(slot.shape.bytes) : 0;
  bytes.resize(total);
  for (const Slot &slot : slots) {
    if (!isOutput(slot))
      continue;
    std::string wrong = driver.copyOut(bytes.data() + at, slot.pointer,
                                       uint64_t(slot.shape.bytes));
    if (!wrong.empty())
      return wrong;
    at += size_t(slot.shape.bytes);
  }
  return "";
}

std::string JobBuffers::compare(const std::vector<unsigned char> &expected,
                                const std::vector<unsigned char> &found) const {
  if (expected.size() != found.size())
    return "the outputs differ in size";
  size_t at = 0;
  for (const Slot &slot : slots) {
    if (slot.shape.direction == Direction::In || slot.shape.bytes == 0)
      continue;
    size_t size = size_t(slot.shape.bytes);
    std::string wrong = compareElements(expected.data() + at, found.data() + at,
                                        slot.shape, job.check);
    if (!wrong.empty())
      return "buffer '" + slot.name + "': " + wrong;
    at += size;
  }
  return "";
}

/// The value of a scalar in the bytes that its type has.
static uint64_t encode(const ScalarArgument &scalar) {
  uint64_t bits = 0;
  if (auto *integer = std::get_if<int64_t>(&scalar.value)) {
    std::memcpy(&bits, integer, sizeof(bits));
    return bits;
  }
  double value = std::get<double>(scalar.value);
  if (scalar.type == ElementType::F64) {
    std::memcpy(&bits, &value, sizeof(value));
    return bits;
  }
  if (scalar.type == ElementType::F32) {
    float narrow = float(value);
    std::memcpy(&bits, &narrow, sizeof(narrow));
    return bits;
  }
  return encodeHalf(value, scalar.type == ElementType::BF16);
}

GpuDriver::Launch JobBuffers::prepare(size_t index) {
  const LaunchDescription &launch = job.launches[index];
  values.resize(job.launches.size());
  std::vector<uint64_t> &own = values[index];
  own.clear();
  for (const LaunchArgument &argument : launch.arguments) {
    if (auto *scalar = std::get_if<ScalarArgument>(&argument.value)) {
      own.push_back(encode(*scalar));
      continue;
    }
    const auto &buffer = std::get<BufferArgument>(argument.value);
    GpuPointer pointer = 0;
    for (const Slot &slot : slots)
      if (slot.name == argument.name)
        pointer = slot.pointer;
    own.push_back(pointer);
    if (buffer.sizes.empty())
      continue;
    own.push_back(pointer);
    own.push_back(0);
    own.insert(own.end(), buffer.sizes.begin(), buffer.sizes.end());
    own.insert(own.end(), buffer.strides.begin(), buffer.strides.end());
  }
  GpuDriver::Launch result;
  result.grid = launch.grid;
  result.block = launch.block;
  result.dynamicWorkgroupBytes = launch.dynamicWorkgroupBytes;
  for (uint64_t &value : own)
    result.arguments.push_back(&value);
  return result;
}

} // namespace swizzle::measuring
