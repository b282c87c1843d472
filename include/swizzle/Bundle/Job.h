//===- Job.h - What a bundle asks for ---------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bundle is a folder: compiled variants, and a job.json that says how to
// launch, fill, check and measure them. Here are the job and the rows of
// results as plain data, and as JSON, without LLVM. docs/bundle.md is the
// format's description.
//
//   Job job;
//   std::string wrong = readJob(text, job);   // "" or "variants[1].file: ..."
//   for (const JobVariant &variant : job.variants)
//     ...                                     // load, launch, measure
//   rows += writeResult({variant.name, "", metrics});
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_BUNDLE_JOB_H
#define SWIZZLE_BUNDLE_JOB_H

#include "swizzle/Bundle/Launch.h"
#include "swizzle/Metrics/Metrics.h"

#include <map>

namespace swizzle {

inline constexpr std::string_view kJobSchema = "swizzle-job/1";
inline constexpr std::string_view kResultSchema = "swizzle-result/1";
/// Of what a job may take: eleven days. More is a mistake.
inline constexpr double kMostSeconds = 1e6;

/// Where an artifact's bytes lie.
struct ArtifactFile {
  std::string file;   ///< inside of the bundle's folder
  std::string format; ///< "ptx", "cubin", "hsaco"
  std::string target; ///< "sm_90", "gfx942"
};

struct JobVariant {
  std::string name; ///< names the rows of its results
  ArtifactFile artifact;
  std::string formula; ///< empty: the kernel as it came
  std::map<std::string, int64_t> params;
};

/// How to measure: all variants in turns, at least `repeats` times after
/// `warmUps`, and on until the figures are steady.
struct JobMeasure {
  int64_t warmUps = 3, repeats = 20;
  double maxSeconds = 60; ///< for one variant
  /// How long a variant runs for its energy to be read; 0: it is not read.
  double energySeconds = 0;
  /// Which time counts: with caches that hold nothing of the kernel's, or as
  /// the run before left them. Both are taken.
  bool cold = true;
  /// Turns after which there are no more, however steady; 0: no such limit.
  int64_t mostRepeats = 0;
};

/// Of a comparison: by 1, any two numbers of one sign would be equal.
inline constexpr double kMostTolerance = 0.5;

/// How to compare with the first variant: bit by bit where both tolerances are
/// 0.
struct JobCheck {
  bool compare = true;
  double relative = 0, absolute = 0;
};

struct Job {
  std::string name;
  std::string chip; ///< the bundle was made for
  /// That chip's cache between the L2 and memory; empty: it has none.
  std::string lastLevel;
  std::vector<JobVariant> variants;        ///< the kernel as it came first
  std::vector<LaunchDescription> launches; ///< one after the other
  JobMeasure measure;
  JobCheck check;
};

/// Reads job.json. Returns what is wrong, field first; "" if nothing is.
std::string readJob(std::string_view text, Job &job);
std::string writeJob(const Job &job);

/// All samples of one way to measure, in microseconds, and what they come to.
struct TimeSamples {
  double median = 0, p20 = 0, p80 = 0, noise = 0;
  std::vector<double> samples;
};

/// What is said of the outputs of a variant.
inline constexpr std::string_view kIdentical = "identical",
                                  kWithinTolerance = "within tolerance",
                                  kNotCompared = "not compared";

/// How the metrics of a result came about.
struct Measurement {
  std::string driver; ///< "cuda 13.0"
  std::string date;   ///< "2026-01-31T12:00:00Z"
  TimeSamples cold, warm;
  std::string outputs; ///< one of the words above
  /// The original's last samples over its first, less one.
  double drift = 0;
  /// The original's time in the same turns.
  double originalUs = 0;
  std::optional<int64_t> clockLowMegahertz, clockHighMegahertz;
  std::optional<int64_t> temperature; ///< the highest that was seen, Celsius
};

/// One line of results.jsonl. One that was read and has no `failure` has a
/// `measurement`, times above 0 and a noise.
struct JobResult {
  std::string variant;
  std::string failure; ///< why there are no metrics; empty: there are
  Metrics metrics;
  /// Names what was measured (`fingerprint`), so that a row is not taken for
  /// another kernel's. Empty: not told.
  std::string of = {};
  std::optional<Measurement> measurement = std::nullopt;
};

/// A name for what the results of a variant depend on: its bytes, the
/// original's, the launches, and how is measured and compared.
std::string fingerprint(const Job &job, std::string_view original,
                        std::string_view variant);

/// Reads one line. Returns what is wrong, field first; "" if nothing is.
/// Figures that were not measured, or that do not tell the original's time in
/// the same turns, are wrong; a noise that is not told is 1.
std::string readResult(std::string_view line, JobResult &result);
/// With a newline at the end.
std::string writeResult(const JobResult &result);

} // namespace swizzle

#endif // SWIZZLE_BUNDLE_JOB_H
