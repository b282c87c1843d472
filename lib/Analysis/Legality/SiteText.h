//===- SiteText.h - Accesses of several readings, compared ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Readings of one kernel number their variables and buffers each for itself. In
// words, what an access touches and when is the same in all of them.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_LEGALITY_SITETEXT_H
#define SWIZZLE_LIB_ANALYSIS_LEGALITY_SITETEXT_H

#include "../Sites/AccessSites.h"

#include <string>

namespace swizzle::analysis {

/// What a site of `model` touches, when and how. Two of one grid and block have
/// the same text only if they do the same; loop counters go by their place in
/// it.
std::string describeSite(const KernelModel &model, const AccessSite &site);

/// The same without when: the beginning of that.
std::string describePlace(const KernelModel &model, const AccessSite &site);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_LEGALITY_SITETEXT_H
