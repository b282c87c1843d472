func.func @f(%in: memref<?x?xf32>, %out: memref<?x?xf32>, %n: index, %x: index, %y: index, %z: index) {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %x, %gy = %y, %gz = %z) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %begin = arith.muli %bx, %c256 : index
    %i = arith.addi %begin, %tx : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %v = memref.load %in[%by, %i] : memref<?x?xf32>
      memref.store %v, %out[%by, %i] : memref<?x?xf32>
    }
    gpu.terminator
  }
  return
}
