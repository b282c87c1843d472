//===- WriteKernel.cpp - Sizes, ids, the module ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Grids have up to 12 workgroups, blocks up to 8 threads, so that all of them
// are run in no time.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"

namespace swizzle::fuzz {

static std::string number(int64_t value) { return std::to_string(value); }

static const struct {
  const char *name;
  int weight;
} kFeatures[] = {
#define FEATURE(name, weight) {#name, weight},
#include "Features.def"
};

const char *nameOf(Feature feature) { return kFeatures[int(feature)].name; }
int weightOf(Feature feature) { return kFeatures[int(feature)].weight; }

std::string toString(const Features &features) {
  std::string text;
  for (size_t i = 0; i < kNumFeatures; ++i)
    if (features[i])
      text += (text.empty() ? "" : " ") + std::string(kFeatures[i].name);
  return text;
}

bool FuzzKernel::has(const std::string &name) const {
  for (size_t i = 0; i < kNumFeatures; ++i)
    if (features[i] && kFeatures[i].name == name)
      return true;
  return false;
}

bool KernelWriter::mistakeNow() {
  if (!mistakeLeft || !(mistakeForced || chance(50)))
    return false;
  mistakeLeft = false;
  return true;
}

void KernelWriter::drawSizes() {
  auto sizes = [&](int64_t most) {
    if (use(Feature::GridOfThreeDimensions))
      return Grid(draw(1, 3), draw(1, 2), draw(1, 2));
    if (use(Feature::GridOfTwoDimensions))
      return Grid(draw(1, 4), draw(1, most / 4), 1);
    return Grid(draw(most > 8 ? 2 : 1, most), 1, 1);
  };
  grid = sizes(12);
  if (grid.count() < 2)
    grid = Grid(2, 1, 1);
  block = sizes(8);
  groups = grid.count();
  threads = block.count();
}

/// One coordinate, as its operation gives it.
Int KernelWriter::readId(const char *what, int axis, int64_t extent) {
  std::string letter(1, "xyz"[axis]);
  if (high())
    return {define("gpu." + std::string(what) + "_id " + letter), indexType(),
            0, extent - 1};
  bool isBlock = what[0] == 'b';
  std::string name = isRocdl ? std::string("rocdl.") +
                                   (isBlock ? "workgroup" : "workitem") +
                                   ".id." + letter
                             : std::string("nvvm.read.ptx.sreg.") +
                                   (isBlock ? "ctaid." : "tid.") + letter;
  Int id{define(name + " : i32"), {32, false}, 0, extent - 1};
  return use(Feature::IdAsI64) ? cast(id, {64, false}, chance(50)) : id;
}

/// A size of the grid or the block, as a number or as its operation gives it.
Int KernelWriter::extentOf(const char *what, int axis, int64_t extent,
                           IntType type) {
  bool isBlock = what[0] == 'b';
  if ((isBlock && gridMistake) || isRocdl || !use(Feature::SizeFromOperation))
    return constant(type, extent);
  std::string letter(1, "xyz"[axis]);
  if (high())
    return convert(
        {define(std::string(isBlock ? "gpu.grid_dim " : "gpu.block_dim ") +
                letter),
         indexType(), extent, extent},
        type);
  return convert({define(std::string("nvvm.read.ptx.sreg.") +
                         (isBlock ? "nctaid." : "ntid.") + letter + " : i32"),
                  {32, false},
                  extent,
                  extent},
                 type);
}

/// x + gx * (y + gy * z); axes of extent 1 are left out at times.
Int KernelWriter::readLinear(const char *what, const Grid &sizes) {
  Int id = readId(what, 0, sizes.x());
  IntType type = id.type;
  for (int axis : {1, 2})
    if (sizes[axis] > 1 || chance(10)) {
      Int more = convert(readId(what, axis, sizes[axis]), type);
      more = binary(Op::Mul, more, extentOf(what, 0, sizes.x(), type));
      if (axis == 2)
        more = binary(Op::Mul, more, extentOf(what, 1, sizes.y(), type));
      id = binary(Op::Add, id, more);
    }
  return id;
}

void KernelWriter::readIds() {
  group = readLinear("block", grid);
  if (gridMistake) {
    // The launch has twice as many workgroups as the kernel says.
    group = binary(Op::URem, group, groups);
  }
  thread = readLinear("thread", block);
  if (high() && use(Feature::LaneId))
    thread = {define("gpu.lane_id"), indexType(), 0, threads - 1};
  if (high() && grid.y() == 1 && grid.z() == 1 && block.y() == 1 &&
      block.z() == 1 && !gridMistake && use(Feature::GlobalId)) {
    Int global{define("gpu.global_id x"), indexType(), 0, groups * threads - 1};
    group =
        binary(Op::UDiv, global, extentOf("thread", 0, threads, indexType()));
  }
  slot = applyMap(group);
  if (kernel.unsized && (!kernel.claimed || kernel.onlyBlock) && mistakeLeft &&
      !isRocdl && grid.y() == 1 && grid.z() == 1 && !frame->caller &&
      use(Feature::MistakeNominal)) {
    // The grid that stands in for an unknown one has 64 workgroups: there, this
    // is the slot.
    mistakeLeft = false;
    IntType type = indexType();
    Int extent = high()
                     ? Int{define("gpu.grid_dim x"), type, grid.x(), grid.x()}
                     : cast({define("nvvm.read.ptx.sreg.nctaid.x : i32"),
                             {32, false},
                             grid.x(),
                             grid.x()},
                            type, false);
    slot = binary(Op::UDiv, binary(Op::Mul, asIndex(slot), extent), 64);
  }
  if (strided)
    // The launch says by how much: 1.
    slot = within({define("arith.muli " + asIndex(slot).name +
                          ", %stride : "
                          "index"),
                   indexType(), 0, slots - 1},
                  slots);
  values = {group, thread, slot};
}

/// The kernel's parameters.
std::string KernelWriter::arguments() {
  std::string text;
  bool noalias =
      (!aliased || unknownGrid) && !overlapping && !use(Feature::NoNoalias);
  for (const Buffer &buffer : buffers)
    if (buffer.layout != Feature::BufferGlobal)
      text += (text.empty() ? "%a" : ", %a") + number(buffer.number) + ": " +
              (high() ? memrefType(buffer) : pointer) +
              (noalias ? " {llvm.noalias}" : "");
  if (strided)
    text += std::string(text.empty() ? "" : ", ") +
            "%stride: index, %number: index";
  if (passesUnknown)
    text += std::string(text.empty() ? "" : ", ") + "%u: i32";
  return text;
}

/// A function that launches the kernel.
std::string KernelWriter::launches() {
  std::string parameters, text;
  int64_t launches = use(Feature::SecondLaunch) || unknownGrid ? 2 : 1;
  bool clusters = use(Feature::ClusterLaunch);
  if (clusters) {
    kernel.forbidden = "clusters in";
    kernel.demand = Demand::Refusal;
  }
  // Which buffer stands in for another one of the same type.
  std::vector<std::string> names;
  for (const Buffer &buffer : buffers) {
    std::string type = high() ? memrefType(buffer) : pointer;
    names.push_back("%a" + number(buffer.number));
    if (buffer.layout != Feature::BufferGlobal)
      parameters +=
          (parameters.empty() ? "" : ", ") + names.back() + ": " + type;
  }
  auto constantOf = [&](const std::string &name, int64_t value) {
    text += name + " = arith.constant " + number(value) + " : index\n";
  };
  auto passUnknown = [&](const std::string &parameter) {
    parameters += (parameters.empty() ? "" : ", ") + parameter;
  };
  if (passesUnknown)
    passUnknown("%u: i32");
  if (unknownGrid)
    passUnknown("%gx: index");
  else
    constantOf("%gx", grid.x() * (gridMistake && !secondGrid ? 2 : 1));
  constantOf("%gx2", grid.x() * (gridMistake ? 2 : 1));
  for (auto [name, value] : {std::pair("%gy", grid.y()),
                             {"%gz", grid.z()},
                             {"%bx", block.x()},
                             {"%by", block.y()},
                             {"%bz", block.z()},
                             {"%one", int64_t(1)},
                             {"%last", int64_t(strideMistake ? 0 : 1)}})
    constantOf(name, value);
  if (strideMistake || secondGrid)
    launches = 2;
  // More than the analysis looks at, each with another number, or all but the
  // last with another buffer in place of the first one.
  bool many =
      (strided || aliased) && !unknownGrid && use(Feature::ManyLaunches);
  if (many)
    launches = 10;
  for (int64_t i = 0; i < launches; ++i) {
    std::string passed;
    for (const Buffer &buffer : buffers) {
      if (buffer.layout == Feature::BufferGlobal)
        continue;
      std::string type = high() ? memrefType(buffer) : pointer,
                  name = names[buffer.number];
      if (many && !strided && passed.empty() && i + 1 < launches) {
        name = "%other" + number(i);
        parameters += ", " + name + ": " + type;
      }
      // The last launch is the one with aliases.
      if (aliased && i + 1 == launches)
        for (const Buffer &other : buffers)
          if (other.number < buffer.number && other.layout == buffer.layout &&
              (high() ? memrefType(other) == type
                      : other.count() >= buffer.count()))
            name = names[other.number];
      passed += (passed.empty() ? "" : ", ") + name + " : " + type;
    }
    bool last = i + 1 == launches;
    if (strided) {
      std::string other = "%o" + number(i);
      constantOf(other, i);
      passed += std::string(passed.empty() ? "" : ", ") +
                (last ? "%last" : "%one") + " : index, " + other + " : index";
    }
    if (passesUnknown)
      passed += std::string(passed.empty() ? "" : ", ") + "%u : i32";
    text += std::string("gpu.launch_func @m::@k ") +
            (clusters ? "clusters in (%one, %one, %one) " : "") +
            "blocks in (" + (last && !unknownGrid ? "%gx2" : "%gx") +
            ", %gy, %gz) threads in (%bx, %by, %bz) "
            "args(" +
            passed + ")\n";
  }
  return "func.func @host(" + parameters + ") {\n" + text + "return\n}\n";
}

/// What the kernel does, with all that is drawn.
void KernelWriter::statements() {
  readIds();
  if (forbidden)
    forbid(*forbidden);
  // The rest of what is written is for few workgroups and threads.
  Forbidden::Target target = forbidden ? forbidden->target : Forbidden::Any;
  bool alone = true;
  if (target == Forbidden::LargeGrid)
    grid = Grid(2147483647, 1, 1);
  else if (target == Forbidden::Gfx942)
    block = Grid(48, 20, 1);
  else if (target == Forbidden::Gfx1100)
    block = Grid(32, 1, 1);
  else
    alone = false;
  // What is refused for other reasons, or not proved, shows nothing.
  if (!kernel.forbidden.empty() && (alone || chance(70)))
    return;
  statements(0);
  mistakeForced = true;
  storeOwn();
}

/// Draws a level, or, now and then, a row of Forbidden.def and a level that it
/// is for: each row is in as many kernels, though few are of one vendor.
const Forbidden *KernelWriter::drawLevel() {
  const Forbidden *row = nullptr;
  if (use(Feature::MistakeForbidden))
    row = &forbiddenOperations()[draw(0, forbiddenOperations().size() - 1)];
  Feature drawn = Feature::HighLevel;
  if (!row || row->target == Forbidden::Any ||
      row->target == Forbidden::Attribute)
    drawn = oneOf({Feature::HighLevel, Feature::Nvvm, Feature::Rocdl});
  else if (row->target == Forbidden::Low)
    drawn = oneOf({Feature::Nvvm, Feature::Rocdl});
  else if (row->isLow())
    note(drawn = row->isRocdl() ? Feature::Rocdl : Feature::Nvvm);
  else
    note(drawn);
  isRocdl = drawn == Feature::Rocdl;
  level = drawn == Feature::HighLevel ? Level::High : Level::Low;
  return row;
}

void KernelWriter::drawLaunch() {
  launched = use(Feature::Launch);
  if (launched) {
    aliased = use(Feature::AliasedLaunch);
    if (aliased)
      note(Feature::MistakeAlias);
    strided = high() && use(Feature::ScalarFromLaunch);
    strideMistake = strided && mistakeLeft && chance(65);
    gridMistake = !strideMistake && mistakeLeft && chance(20);
    secondGrid = gridMistake && chance(50);
    if (strideMistake)
      note(Feature::MistakeStride);
    if (gridMistake)
      note(Feature::MistakeLaunchGrid);
    mistakeLeft &= !strideMistake && !gridMistake;
  }
  kernel.unsized = !launched && use(Feature::Unsized);
  kernel.claimed = kernel.unsized && use(Feature::ClaimedSizes);
  kernel.onlyBlock = kernel.claimed && use(Feature::ClaimedBlock);
}

/// The module, with a kernel of these lines.
std::string KernelWriter::moduleText(const std::string &body) {
  auto extents = [](const Grid &sizes) {
    return "array<i32: " + number(sizes.x()) + ", " + number(sizes.y()) + ", " +
           number(sizes.z()) + ">";
  };
  bool sized =
      launched ? (gridMistake && !secondGrid) || chance(70) : !kernel.unsized;
  sized &= !secondGrid && !unknownGrid;
  std::string sizes, text, target;
  if (sized)
    sizes = (high() ? "" : "gpu.known_grid_size = " + extents(grid) + ", ") +
            "known_grid_size = " + extents(grid) + ", ";
  if (sized || unknownGrid)
    sizes += "known_block_size = " + extents(block);
  if (!attributes.empty())
    sizes += (sizes.empty() ? "" : ", ") + attributes;
  if (high())
    text = "gpu.func @k(" + arguments() + ")" + shared +
           " kernel attributes {" + sizes + "} {\n" + body + "gpu.return\n}\n";
  else
    text = std::string("llvm.func ") + (isRocdl ? "amdgpu_kernelcc " : "") +
           "@k(" + arguments() + ") attributes {gpu.kernel, " +
           (isRocdl ? "rocdl.kernel" : "nvvm.kernel") +
           (sizes.empty() ? "" : ", " + sizes) + "} {\n" + body +
           "llvm.return\n}\n";
  if (forbidden && forbidden->target == Forbidden::Gfx942)
    target = "[#rocdl.target<chip = \"gfx942\">] ";
  if (forbidden && forbidden->target == Forbidden::Gfx1100)
    target = "[#rocdl.target<chip = \"gfx1100\">] ";
  return std::string("module") +
         (launched ? " attributes {gpu.container_module}" : "") +
         " {\ngpu.module @m " + target + "{\n" + globals + functions + text +
         "}\n" + (launched ? launches() : "") + "}\n";
}

void KernelWriter::write() {
  bool planted = chance(55);
  mistakeLeft = planted;
  forbidden = drawLevel();
  pointer = chance(50) ? "!llvm.ptr<1>" : "!llvm.ptr";
  static const int obscurities[] = {3, 15, 28};
  obscurity = obscurities[draw(0, 2)];
  drawSizes();
  drawMap();
  drawLaunch();
  Frame entry;
  frame = &entry;
  std::string body;
  out = &body;
  // The host has no operation that tells the grid of an AMD kernel.
  if (!forbidden && kernel.onlyBlock && (!isRocdl || grid.count() > grid.x()) &&
      use(Feature::EveryGrid)) {
    planted = true;
    everyGrid();
    launched = aliased = unknownGrid;
    kernel.claimed &= !unknownGrid;
  } else {
    statements();
  }
  kernel.text = moduleText(body);
  kernel.planted = planted;
  kernel.grid = grid;
  kernel.block = block;
}

FuzzKernel writeKernel(Choices choices) {
  FuzzKernel kernel;
  KernelWriter(choices, kernel).write();
  return kernel;
}

} // namespace swizzle::fuzz
