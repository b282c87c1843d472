// Modules with nothing to do, and grids at the limits.
// RUN: swizzle-opt %s -split-input-file > %t.before
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle > %t.after
// RUN: diff %t.before %t.after

module {}

// -----

func.func @host() {
  return
}

// -----

gpu.module @empty {}

// -----

// Nothing is read or written, and no id either.
gpu.module @m {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
