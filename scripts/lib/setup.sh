# Sourced by scripts/demo and scripts/check: finds what the build needs on
# Debian 12, installs what is missing when root, and otherwise says what to type.
#
#   swizzle_setup           packages, PATH
#   swizzle_setup_lint      what checks types and style of sources, if it can be had
#   swizzle_setup_parallel  what runs Python's tests side by side, if it can be had
#   swizzle_setup_queue     a queue (Slurm) and an ssh server, each for one test, if
#                           they can be had
#   swizzle_setup_browser   a browser for the tests of the page, if it can be had
#   swizzle_setup_triton    Triton, for the tests of swizzle.triton, if it can be had
#   swizzle_setup_iree      IREE's compiler, for the tests of swizzle.iree, if it can be had
#   swizzle_setup_newest    newer ones of both, for the same tests, if they can be had
#   swizzle_python          prints a Python that has pytest and matplotlib
#   swizzle_build PRESET [TARGET...]
#                           configure (once) and build; reuses build/PRESET

SWIZZLE_PACKAGES=(cmake ninja-build clang-22 lld-22 llvm-22-dev llvm-22-tools
  libmlir-22-dev mlir-22-tools libclang-rt-22-dev rocm-device-libs
  nlohmann-json3-dev libboost-context-dev libcurl4-openssl-dev openssl libgtest-dev
  libbenchmark-dev python3 python3-pytest python3-matplotlib)
# D3, which swizzle-report embeds: without it that tool is not built, and the rest is.
SWIZZLE_PAGE_PACKAGES=(node-d3)
# What scripts/check wants besides.
SWIZZLE_LINT_PACKAGES=(mypy flake8)
SWIZZLE_FORMAT_PACKAGES=(clang-format-22)
SWIZZLE_PARALLEL_PACKAGES=(python3-pytest-xdist)
# A browser for the tests of the page, and what drives it.
SWIZZLE_BROWSER_PACKAGES=(chromium-headless-shell python3-pip)
# A queue, and an ssh server, for the tests that measure through them.
SWIZZLE_QUEUE_PACKAGES=(slurmctld slurmd slurm-client munge)
SWIZZLE_SSH_PACKAGES=(openssh-server openssh-client rsync)
# From Python's package index: what drives the browser, and what `pip install ./python`
# is tested with.
SWIZZLE_PIP=(playwright==1.65.2 setuptools==75.6.0 wheel==0.45.1)
# The Triton and the IREE whose LLVM is ours; kernels are only compiled with them. Of IREE
# the compiler alone: what it brings along is for its Python bindings, and would come in
# front of Debian's.
SWIZZLE_TRITON=(triton==3.6.0)
SWIZZLE_IREE=(--no-deps iree-base-compiler==3.10.0)
# The newest that there were.
SWIZZLE_NEWEST=(--no-deps triton==3.9.0 iree-base-compiler==3.13.0)

# swizzle_missing PACKAGE...: those that are not installed, one a line.
swizzle_missing() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
      echo "$package"
  done
}

# swizzle_try PACKAGE...: installs what is missing, if it can be had.
swizzle_try() {
  local missing
  mapfile -t missing < <(swizzle_missing "$@")
  if ((${#missing[@]})) && [[ $(id -u) == 0 ]]; then
    echo "== installing: ${missing[*]}"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      "${missing[@]}" >/dev/null || true
  fi
}

# The tests of measuring elsewhere say what is missing.
swizzle_setup_queue() {
  swizzle_try "${SWIZZLE_QUEUE_PACKAGES[@]}"
  swizzle_try "${SWIZZLE_SSH_PACKAGES[@]}"
}

# The suite of scripts/lib/lint.py says what is still missing after this.
swizzle_setup_lint() {
  swizzle_try "${SWIZZLE_LINT_PACKAGES[@]}"
  swizzle_try "${SWIZZLE_FORMAT_PACKAGES[@]}"
}

# Without it they run one after the other.
swizzle_setup_parallel() {
  swizzle_try "${SWIZZLE_PARALLEL_PACKAGES[@]}"
}

# A browser, and Python's playwright in build/pip; the tests of the page say what is
# still missing after this.
swizzle_setup_browser() {
  swizzle_try "${SWIZZLE_BROWSER_PACKAGES[@]}"
  local python
  python=$(swizzle_python) || return 0
  PYTHONPATH=build/pip "$python" -c 'import playwright.sync_api, wheel' 2>/dev/null && return
  echo "== installing: ${SWIZZLE_PIP[*]} into build/pip"
  "$python" -m pip install -q --root-user-action=ignore --upgrade --target build/pip "${SWIZZLE_PIP[@]}" || true
}

# swizzle_pip FOLDER MODULES PACKAGE...: packages into a folder of their own, where the
# modules cannot be imported from it yet. Tests say that they are missing, if they are.
swizzle_pip() {
  local python folder=$1 modules=$2
  shift 2
  swizzle_try python3-pip
  python=$(swizzle_python) || return 0
  PYTHONPATH=$folder "$python" -c "import $modules" 2>/dev/null && return
  echo "== installing: $* into $folder"
  "$python" -m pip install -q --root-user-action=ignore --upgrade --target "$folder" "$@" || true
}

swizzle_setup_triton() {
  swizzle_pip build/triton triton "${SWIZZLE_TRITON[@]}"
}

swizzle_setup_iree() {
  swizzle_pip build/iree iree.compiler._mlir_libs "${SWIZZLE_IREE[@]}"
}

swizzle_setup_newest() {
  swizzle_pip build/newest triton,iree.compiler._mlir_libs "${SWIZZLE_NEWEST[@]}"
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
  swizzle_try "${SWIZZLE_PAGE_PACKAGES[@]}"
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
