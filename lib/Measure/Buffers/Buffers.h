//===- Buffers.h - The buffers and arguments of a job -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Owns the memory that the launches of a job work on. A buffer that two
// launches call by the same name is one buffer: what one launch writes, the
// next one reads.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_MEASURE_BUFFERS_BUFFERS_H
#define SWIZZLE_LIB_MEASURE_BUFFERS_BUFFERS_H

#include "swizzle/Bundle/Job.h"
#include "swizzle/Measure/Device/GpuDriver.h"

namespace swizzle::measuring {

class JobBuffers {
public:
  JobBuffers(GpuDriver &driver, const Job &job) : driver(driver), job(job) {}
  ~JobBuffers();
  JobBuffers(const JobBuffers &) = delete;
  JobBuffers &operator=(const JobBuffers &) = delete;

  /// Bytes that `allocate` asks for.
  uint64_t bytes() const;
  /// Allocates everything; what does not fit is refused with the numbers.
  /// `reserve` bytes are left free.
  std::string allocate(uint64_t reserve);

  /// Fills what is read by the rules of the job, with other numbers for each
  /// `salt`, and what is only written with a pattern that no kernel writes.
  std::string reset(int64_t salt);

  /// Contents of all that is written, one after the other.
  std::string readOutputs(std::vector<unsigned char> &bytes);
  /// Compares two such contents; "" if they agree, else which buffer, which
  /// element, and both values.
  std::string compare(const std::vector<unsigned char> &expected,
                      const std::vector<unsigned char> &found) const;

  /// What `launch` of the job is started with.
  GpuDriver::Launch prepare(size_t launch);

private:
  struct Slot {
    BufferArgument shape;
    std::string name;
    GpuPointer pointer = 0;
    std::vector<unsigned char> contents; ///< by the rule, with `salt`
    int64_t salt = -1;
  };
  std::string collect();

  GpuDriver &driver;
  const Job &job;
  std::vector<Slot> slots;
  /// Values that launches point to: one list for each launch.
  std::vector<std::vector<uint64_t>> values;
};

} // namespace swizzle::measuring

#endif // SWIZZLE_LIB_MEASURE_BUFFERS_BUFFERS_H
