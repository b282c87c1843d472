//===- FakeDriver.cpp - A driver without a GPU ----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of CUDA's driver, or of HIP's, that swizzle-run calls, over
// memory of the host, for tests. A module is PTX, or a code object of AMD's, of
// which only the entry and its parameters are read. A kernel writes, into the
// buffer that its last pointer names, the sum of all others' bytes plus one.
// How long it takes, and what goes wrong, stands in the environment:
//
//   FAKE_GPU_US=100,80       time of a launch of the first and second module
//   FAKE_GPU_US_OF=A=90|B=80 time of a module with A, or else B, in its text
//   FAKE_GPU_DOES=ok,wrong   ok, wrong (other outputs), partly (leaves the first
//                             byte), fault (an error that stays), hang, crash,
//                             refuse (cannot be loaded), once (wrong in its second
//                             launch and later)
//                             A module with "does:wrong " in its text does
//                             that, wherever it is loaded.
//   FAKE_GPU_MEMORY=65536    bytes of the device
//   FAKE_GPU_NAME=Other      of the device
//   FAKE_GPU_LOG=FILE        one line for each launch
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

#ifdef SWIZZLE_FAKE_HIP
#define NAME(cuda, hip) hip
#else
#define NAME(cuda, hip) cuda
#endif

namespace {

constexpr int kInvalid = 1, kOutOfMemory = 2, kNotFound = 500, kFault = 700,
              kInvalidPtx = 218;

std::string word(const char *variable, size_t index, const char *otherwise) {
  const char *text = std::getenv(variable);
  std::string list = text ? text : "", found = otherwise;
  for (size_t at = 0; !list.empty() && at <= list.size();) {
    size_t end = std::min(list.find(',', at), list.size());
    found = list.substr(at, end - at); // the last word stands for all others
    if (index-- == 0)
      break;
    at = end + 1;
  }
  return found;
}

/// The time that FAKE_GPU_US_OF gives a module with this text, else
/// `otherwise`.
double timeOf(const std::string &text, double otherwise) {
  const char *variable = std::getenv("FAKE_GPU_US_OF");
  std::string list = variable ? variable : "";
  for (size_t at = 0; at < list.size();) {
    size_t end = std::min(list.find('|', at), list.size());
    size_t equals = list.rfind('=', end);
    if (text.find(list.substr(at, equals - at)) != text.npos)
      return std::atof(list.substr(equals + 1, end - equals - 1).c_str());
    at = end + 1;
  }
  return otherwise;
}

struct FakeModule {
  std::string text, does;
  double us = 0;
  int launches = 0;
  size_t index = 0;
};
struct FakeEvent {
  double us = 0;
};

struct State {
  std::map<uint64_t, std::vector<unsigned char>> memory;
  std::vector<std::unique_ptr<FakeModule>> modules;
  std::vector<std::unique_ptr<FakeEvent>> events;
  uint64_t used = 0, next = 0x100000;
  double clock = 0;
  bool faulted = false, hangs = false;
};
State &state() {
  static State one;
  return one;
}

uint64_t totalMemory() {
  return std::strtoull(word("FAKE_GPU_MEMORY", 0, "1073741824").c_str(),
                       nullptr, 10);
}

#ifdef SWIZZLE_FAKE_HIP

/// All of an ELF file: its section table comes last.
std::string readImage(const void *image) {
  const auto *bytes = static_cast<const char *>(image);
  if (std::memcmp(bytes, "\177ELF", 4) != 0)
    return "";
  uint64_t table = 0;
  uint16_t size = 0, count = 0;
  std::memcpy(&table, bytes + 40, sizeof(table));
  std::memcpy(&size, bytes + 58, sizeof(size));
  std::memcpy(&count, bytes + 60, sizeof(count));
  return {bytes, table + uint64_t(size) * count};
}

bool hasEntry(const std::string &text) { return !text.empty(); }
bool isEntry(const std::string &text, const std::string &name) {
  return text.find(name + ".kd") != text.npos;
}

/// As the metadata tell, in MessagePack: ".size", a small number, and later
/// ".value_kind", which begins with "hidden_" for what the launch adds itself.
std::vector<int> parametersOf(const std::string &text) {
  std::vector<int> sizes;
  const std::string key = "\245.size", kind = ".value_kind";
  for (size_t at = text.find(key); at != text.npos;
       at = text.find(key, at + 1)) {
    size_t word = text.find(kind, at);
    if (word == text.npos)
      break;
    if (text.compare(word + kind.size() + 1, 7, "hidden_") != 0)
      sizes.push_back(static_cast<unsigned char>(text[at + key.size()]));
  }
  return sizes;
}

#else

std::string readImage(const void *image) {
  return static_cast<const char *>(image);
}

bool hasEntry(const std::string &text) {
  return text.find(".entry") != text.npos;
}
bool isEntry(const std::string &text, const std::string &name) {
  return text.find(name + "(") != text.npos;
}

/// Bytes of each parameter of the entry: 8 for u64, 4 for others.
std::vector<int> parametersOf(const std::string &text) {
  std::vector<int> sizes;
  size_t open = text.find('(', text.find(".entry"));
  size_t close = text.find(')', open);
  for (size_t at = text.find(".param", open); at < close;
       at = text.find(".param", at + 1)) {
    size_t end = text.find_first_of(",)", at);
    std::string one = text.substr(at, end - at);
    sizes.push_back(one.find("64") != one.npos ? 8 : 4);
  }
  return sizes;
}

#endif

/// Where workgroups of the kernel of --probe-dispatch ran, and when, as it
/// tells it: CUDA's device takes its 12 units from the last to the first;
/// HIP's, too, on each of 4 dies, of which the third comes first, with gaps
/// between the units' numbers.
void tellDispatch(unsigned workgroups, std::vector<unsigned char> &out) {
#ifdef SWIZZLE_FAKE_HIP
  constexpr uint64_t dies = 4, tick = 10, gap = 5;
#else
  constexpr uint64_t dies = 1, tick = 1, gap = 1;
#endif
  constexpr uint64_t units = 12 / dies;
  for (uint64_t i = 0; i < workgroups; ++i) {
    uint64_t unit = (units - 1 - i / dies % units) * gap;
    uint64_t words[] = {(i + 2) % dies << 32 | unit,
                        1000000 + i / (dies * units) * 25000 / tick};
    std::memcpy(out.data() + i * sizeof(words), words, sizeof(words));
  }
}

void compute(FakeModule &module, unsigned workgroups, void **arguments) {
  std::vector<std::vector<unsigned char> *> buffers;
  std::vector<int> sizes = parametersOf(module.text);
  for (size_t i = 0; i < sizes.size(); ++i) {
    uint64_t value = 0;
    std::memcpy(&value, arguments[i], size_t(sizes[i]));
    auto found = state().memory.find(value);
    if (found != state().memory.end())
      buffers.push_back(&found->second);
  }
  if (buffers.empty())
    return;
  std::vector<unsigned char> &out = *buffers.back();
  if (isEntry(module.text, "probe")) {
    tellDispatch(workgroups, out);
    return;
  }
  bool wrong =
      module.does == "wrong" || (module.does == "once" && module.launches > 1);
  for (size_t i = module.does == "partly" ? 1 : 0; i < out.size(); ++i) {
    unsigned char sum = wrong ? 3 : 1;
    for (size_t b = 0; b + 1 < buffers.size(); ++b)
      sum = static_cast<unsigned char>(sum +
                                       (*buffers[b])[i % buffers[b]->size()]);
    out[i] = sum;
  }
}

int answer() { return state().faulted ? kFault : 0; }

} // namespace

extern "C" {

int NAME(cuInit, hipInit)(unsigned) { return 0; }
int NAME(cuDriverGetVersion, hipDriverGetVersion)(int *version) {
  *version = 13020;
  return 0;
}
int NAME(cuDeviceGetCount, hipGetDeviceCount)(int *count) {
  *count = std::atoi(word("FAKE_GPU_DEVICES", 0, "1").c_str());
  return 0;
}
int NAME(cuDeviceGet, hipDeviceGet)(int *device, int index) {
  *device = index;
  return 0;
}
int NAME(cuDeviceGetName, hipDeviceGetName)(char *name, int length, int) {
  std::snprintf(name, size_t(length), "%s",
                word("FAKE_GPU_NAME", 0, "Fake GPU 9").c_str());
  return 0;
}
int NAME(cuDeviceGetAttribute, hipDeviceGetAttribute)(int *value, int attribute,
                                                      int) {
#ifdef SWIZZLE_FAKE_HIP
  static const std::map<int, int> numbers = {
      {63, 12},   {87, 64},   {19, 1 << 20}, {5, 1500000},   {60, 2000000},
      {59, 4096}, {57, 2048}, {25, 32},      {72, 65536},    {10002, 65536},
      {10018, 4}, {67, 1},    {68, 0},       {10017, 100000}};
#else
  static const std::map<int, int> numbers = {
      {16, 12},    {10, 32},     {38, 1 << 20}, {13, 1500000}, {36, 2000000},
      {37, 4096},  {75, 9},      {76, 0},       {39, 2048},    {106, 32},
      {82, 65536}, {81, 233472}, {33, 1},       {34, 0}};
#endif
  auto found = numbers.find(attribute);
  if (found == numbers.end())
    return kInvalid;
  *value = found->second;
  return 0;
}
int NAME(cuDevicePrimaryCtxRetain, hipDevicePrimaryCtxRetain)(void **context,
                                                              int) {
  *context = &state();
  return 0;
}
int NAME(cuCtxSetCurrent, hipCtxSetCurrent)(void *) { return 0; }
int NAME(cuMemGetInfo_v2, hipMemGetInfo)(size_t *free, size_t *total) {
  *total = totalMemory();
  *free = totalMemory() - state().used;
  return answer();
}
int NAME(cuModuleLoadDataEx,
         hipModuleLoadDataEx)(void **module, const void *image, unsigned count,
                              int *options, void **values) {
  size_t index = state().modules.size();
  std::string text = readImage(image);
  auto *made = new FakeModule{
      text, word("FAKE_GPU_DOES", index, "ok"),
      timeOf(text, std::atof(word("FAKE_GPU_US", index, "100").c_str())), 0,
      index};
  state().modules.emplace_back(made);
  *module = made;
  if (size_t at = text.find("does:"); at != text.npos)
    made->does = text.substr(at + 5, text.find(' ', at) - at - 5);
  if (made->does != "refuse" && hasEntry(text))
    return 0;
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == 5) // the buffer for the log
      std::snprintf(static_cast<char *>(values[i]), 64,
                    "line 1: no such thing");
  return kInvalidPtx;
}
int NAME(cuModuleGetFunction, hipModuleGetFunction)(void **function,
                                                    void *module,
                                                    const char *name) {
  *function = module;
  const std::string &text = static_cast<FakeModule *>(module)->text;
  return isEntry(text, name) ? 0 : kNotFound;
}
int NAME(cuFuncSetAttribute, hipFuncSetAttribute)(void *, int, int) {
  return 0;
}
int NAME(cuMemAlloc_v2, hipMalloc)(uint64_t *pointer, size_t bytes) {
  if (state().used + bytes > totalMemory())
    return kOutOfMemory;
  state().used += bytes;
  *pointer = state().next;
  state().next += (bytes + 511) / 256 * 256;
  state().memory[*pointer].resize(bytes);
  return answer();
}
int NAME(cuMemFree_v2, hipFree)(uint64_t pointer) {
  state().used -= state().memory[pointer].size();
  state().memory.erase(pointer);
  return answer();
}
int NAME(cuMemcpyHtoD_v2, hipMemcpyHtoD)(uint64_t to, const void *from,
                                         size_t bytes) {
  std::memcpy(state().memory.at(to).data(), from, bytes);
  return answer();
}
int NAME(cuMemcpyDtoH_v2, hipMemcpyDtoH)(void *to, uint64_t from,
                                         size_t bytes) {
  std::memcpy(to, state().memory.at(from).data(), bytes);
  return answer();
}
int NAME(cuMemsetD8_v2, hipMemsetD8)(uint64_t to, unsigned char byte,
                                     size_t bytes) {
  std::memset(state().memory.at(to).data(), byte, bytes);
  return answer();
}
int NAME(cuLaunchKernel,
         hipModuleLaunchKernel)(void *function, unsigned x, unsigned y,
                                unsigned z, unsigned, unsigned, unsigned,
                                unsigned, void *, void **arguments, void **) {
  FakeModule &module = *static_cast<FakeModule *>(function);
  ++module.launches;
  if (const char *path = std::getenv("FAKE_GPU_LOG"))
    if (std::FILE *log = std::fopen(path, "a")) {
      std::fprintf(log, "launch of module %zu, grid %u %u %u\n", module.index,
                   x, y, z);
      std::fclose(log);
    }
  if (module.does == "crash")
    std::abort();
  if (module.does == "hang")
    state().hangs = true;
  if (module.does == "fault")
    state().faulted = true;
  else
    compute(module, x, arguments);
  state().clock += module.us;
  return 0; // errors of a kernel come when it is waited for
}
int NAME(cuEventCreate, hipEventCreateWithFlags)(void **event, unsigned) {
  *event = state().events.emplace_back(new FakeEvent).get();
  return 0;
}
int NAME(cuEventRecord, hipEventRecord)(void *event, void *) {
  static_cast<FakeEvent *>(event)->us = state().clock;
  return answer();
}
int NAME(cuEventSynchronize, hipEventSynchronize)(void *) {
  while (state().hangs)
    pause();
  return answer();
}
int NAME(cuEventElapsedTime, hipEventElapsedTime)(float *ms, void *from,
                                                  void *to) {
  *ms = float(
      (static_cast<FakeEvent *>(to)->us - static_cast<FakeEvent *>(from)->us) /
      1000);
  return answer();
}
int NAME(cuCtxSynchronize, hipDeviceSynchronize)() {
  return NAME(cuEventSynchronize, hipEventSynchronize)(nullptr);
}
int NAME(cuGetErrorString, hipDrvGetErrorString)(int status,
                                                 const char **text) {
  static const std::map<int, const char *> texts = {
      {kInvalid, "invalid argument"},
      {kOutOfMemory, "out of memory"},
      {kInvalidPtx, "a PTX JIT compilation failed"},
      {kNotFound, "named symbol not found"},
      {kFault, "an illegal memory access was encountered"}};
  auto found = texts.find(status);
  *text = found == texts.end() ? nullptr : found->second;
  return found == texts.end() ? kInvalid : 0;
}

} // extern "C"
