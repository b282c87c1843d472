# Runs every GoogleTest program of the build under lit.
import os
import lit.formats

config.name = "swizzle-unit"
config.suffixes = []
config.test_source_root = os.path.join(config.swizzle_binary_dir, "unittests")
config.test_exec_root = config.test_source_root
config.test_format = lit.formats.GoogleTest(".", "Tests")
