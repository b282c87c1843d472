# Sourced by scripts/demo and scripts/check: finds what the build needs on
# Debian 12, installs what is missing when root, and otherwise says what to type.
#
#   swizzle_setup           packages, PATH
#   swizzle_setup_lint      a type checker and a linter of Python, if they can be had
#   swizzle_python          prints a Python that has pytest and matplotlib
#   swizzle_build PRESET [TARGET...]
#                           configure (once) and build; reuses build/PRESET

SWIZZLE_PACKAGES=(cmake ninja-build clang-22 lld-22 llvm-22-dev llvm-22-tools
  libmlir-22-dev mlir-22-tools libclang-rt-22-dev rocm-device-libs
  nlohmann-json3-dev libboost-context-dev libcurl4-openssl-dev openssl libgtest-dev
  libbenchmark-dev python3 python3-pytest python3-matplotlib)
# What scripts/check wants besides.
SWIZZLE_LINT_PACKAGES=(mypy flake8)

# swizzle_missing PACKAGE...: those that are not installed, one a line.
swizzle_missing() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
      echo "$package"
  done
}

# The suite of scripts/lib/lint.py says what is still missing after this.
swizzle_setup_lint() {
  local missing
  mapfile -t missing < <(swizzle_missing "${SWIZZLE_LINT_PACKAGES[@]}")
  if ((${#missing[@]})) && [[ $(id -u) == 0 ]]; then
    echo "== installing: ${missing[*]}"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null || true
  fi
}

swizzle_setup() {
  local missing
  mapfile -t missing < <(swizzle_missing "${SWIZZLE_PACKAGES[@]}")
  if ((${#missing[@]})); then
    if [[ $(id -u) == 0 ]]; then
      echo "== installing: ${missing[*]}"
      export DEBIAN_FRONTEND=noninteractive
      apt-get update -qq && apt-get install -y -qq "${missing[@]}" >/dev/null || {
        echo "error: these packages could not be installed: ${missing[*]}" >&2
        return 1
      }
    else
      echo "error: packages are missing. As root, run:" >&2
      echo "  apt-get update && apt-get install -y ${missing[*]}" >&2
      return 1
    fi
  fi
  export PATH=/usr/lib/llvm-22/bin:$PATH
}

swizzle_python() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import matplotlib, pytest' 2>/dev/null; then
      echo "$python"
      return
    fi
  done
  echo "error: no python3 has both pytest and matplotlib" >&2
  return 1
}

swizzle_build() {
  local preset=$1
  shift
  echo "== building: $preset${*:+, only $*}"
  if [[ ! -f build/$preset/build.ninja ]]; then
    cmake --preset "$preset" >"build-$preset.log" 2>&1 || {
      cat "build-$preset.log" >&2
      rm -f "build-$preset.log"
      return 1
    }
    rm -f "build-$preset.log"
  fi
  cmake --build --preset "$preset" ${@:+--target "$@"}
}
