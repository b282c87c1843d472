// RUN: swizzle-opt %s --hw-aware-swizzle="formula='n = gx // num_xcds; return x %% num_xcds * n + x // num_xcds'" -split-input-file -verify-diagnostics | FileCheck %s

// The module's attributes describe a part that no file does.

// CHECK-LABEL: gpu.func @three
// CHECK-SAME: hardware = {num_xcds = 3 : i64}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"swizzle.num_xcds" = 3 : i64, "swizzle.cus_per_xcd" = 20 : i64, "swizzle.wave_size" = 64 : i64>>} {
  gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
    gpu.func @three(%out: memref<48xindex>) kernel attributes {known_grid_size = array<i32: 48, 1, 1>} {
      %x = gpu.block_id x
      memref.store %x, %out[%x] : memref<48xindex>
      gpu.return
    }
  }
}

// -----

// CHECK-LABEL: gpu.func @changed
// CHECK-SAME: hardware = {num_xcds = 4 : i64}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"swizzle.chip" = "mi300x", "swizzle.num_xcds" = 4 : i64>>} {
  gpu.module @kernels {
    gpu.func @changed(%out: memref<48xindex>) kernel attributes {known_grid_size = array<i32: 48, 1, 1>} {
      %x = gpu.block_id x
      memref.store %x, %out[%x] : memref<48xindex>
      gpu.return
    }
  }
}

// -----

module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"swizzle.chip" = "mi300x", "swizzle.num_xcds" = 0 : i64>>} {
  gpu.module @kernels {
    // expected-error@+1 {{dlti.target_system_spec: swizzle.num_xcds: 0 is not allowed; it must be an integer from 1 to 1024}}
    gpu.func @zero(%out: memref<48xindex>) kernel attributes {known_grid_size = array<i32: 48, 1, 1>} {
      %x = gpu.block_id x
      memref.store %x, %out[%x] : memref<48xindex>
      gpu.return
    }
  }
}

// -----

// A misspelt key is not passed over.

module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"swizzle.chip" = "mi300x", "swizzle.num_xcd" = 4 : i64>>} {
  gpu.module @kernels {
    // expected-error@+1 {{swizzle.num_xcd: unknown key; did you mean swizzle.num_xcds?}}
    gpu.func @misspelt(%out: memref<48xindex>) kernel attributes {known_grid_size = array<i32: 48, 1, 1>} {
      %x = gpu.block_id x
      memref.store %x, %out[%x] : memref<48xindex>
      gpu.return
    }
  }
}

// -----

// No chip at all: the error says how to give one.

gpu.module @kernels {
  // expected-error@+1 {{needs to know the chip; give chip=NAME, hardware-file=PATH (of tools: --chip, --hardware-file), dlti attributes on the module, or a target on the gpu.module. The chips are a100, b200}}
  gpu.func @none(%out: memref<48xindex>) kernel attributes {known_grid_size = array<i32: 48, 1, 1>} {
    %x = gpu.block_id x
    memref.store %x, %out[%x] : memref<48xindex>
    gpu.return
  }
}
