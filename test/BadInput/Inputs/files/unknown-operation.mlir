gpu.module @m {
  gpu.func @k() kernel {
    some.operation
    gpu.return
  }
}
