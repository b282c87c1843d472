# Configuration of the FileCheck suite: tests are .mlir, .ll, .test and .swz files
# with RUN lines; LLVM's tools and ours are on the PATH.
import os
import lit.formats

config.name = "swizzle"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ll", ".test", ".swz"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.swizzle_binary_dir, "test")

path = [os.path.join(config.swizzle_binary_dir, "bin"), config.llvm_tools_dir,
        config.environment.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(path)
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions += [
    ("%swizzle_src_root", config.swizzle_source_dir),
    ("%swizzle_bin_root", config.swizzle_binary_dir),
    ("%llvm_tools", config.llvm_tools_dir),
    ("%cmake", config.cmake),
    ("%cxx", config.cxx),
    ("%llvm_plugin", os.path.join(config.swizzle_binary_dir, "lib", "SwizzleLLVM.so")),
]
if os.path.exists(os.path.join(config.swizzle_binary_dir, "bin", "swizzle-report")):
    config.available_features.add("swizzle-report")
if not config.sanitizers:
    config.available_features.add("no-sanitizers")
