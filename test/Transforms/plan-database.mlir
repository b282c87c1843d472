// A record of the database is applied as it stands, after it was proved again.
// RUN: swizzle-opt %s > %t.before
// RUN: sh %S/Inputs/make_record.sh %s '"return gx - 1 - x"' > %t.db
// RUN: swizzle-opt %s --swizzle-plan="agent=database database=%t.db chip=mi300x" --remarks-filter=swizzle --remark-format=emitRemark 2> %t.remarks | FileCheck %s --check-prefix=HIT
// RUN: FileCheck %s --check-prefix=PASSED < %t.remarks
// HIT: swizzle.remap{{.*}}gx - 1 - x
// PASSED: Passed{{.*}}Formula="return gx - 1 - x"{{.*}}Reason="as in the database '{{.*}}.db', found by planner: 1.25 times as good as before (time, simulated on mi300x)"

// A record may say that nothing beat the order as it is.
// RUN: sh %S/Inputs/make_record.sh %s null > %t.as-it-is.db
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=database database=%t.as-it-is.db chip=mi300x" | diff %t.before -

// A miss falls back as asked: keep, planner, error.
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=database database=%t.db chip=mi325x" --remarks-filter=swizzle --remark-format=emitRemark 2> %t.miss | diff %t.before -
// RUN: FileCheck %s --check-prefix=MISS < %t.miss
// MISS: Missed{{.*}}Code=database-miss{{.*}}has no record of kernel {{.*}} on grid 16, chip mi325x, {{.*}}the nearest is of chip mi300x
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=database database=%t.db chip=mi325x on-failure=planner" --remarks-filter=swizzle --remark-format=emitRemark 2> %t.planner | diff %t.before -
// RUN: FileCheck %s --check-prefix=PLANNER < %t.planner
// PLANNER: Note="agent 'database' failed (database-miss){{.*}}the planner was asked instead"
// PLANNER: Missed
// RUN: not swizzle-opt %s --hw-aware-swizzle="agent=database database=%t.db chip=mi325x on-failure=error" 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: kernel 'k': agent 'database' failed (database-miss): the database

// A name is not enough: the record of a chip that another file describes, or
// that has been changed since, is a miss. One without a hash is of the built-in
// chip alone.
// RUN: sed 's/"num_xcds": {"value": 8/"num_xcds": {"value": 2/' %swizzle_src_root/hardware/mi300x.json > %t.two.json
// RUN: sh %S/Inputs/make_record.sh %s '"return gx - 1 - x"' | sed 's/"chip":"mi300x",/&"chip_hash":"blake3:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",/' > %t.hash.db
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=database database=%t.hash.db chip=mi300x" --remarks-filter=swizzle --remark-format=emitRemark 2> %t.hash | diff %t.before -
// RUN: FileCheck %s --check-prefix=HASH < %t.hash
// HASH: Missed{{.*}}Code=database-miss{{.*}}the nearest is of another description of chip mi300x
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=database database=%t.db hardware-file=%t.two.json" --remarks-filter=swizzle --remark-format=emitRemark 2> %t.two | diff %t.before -
// RUN: FileCheck %s --check-prefix=TWO < %t.two
// TWO: Missed{{.*}}Code=database-miss{{.*}}the nearest is of chip mi300x without a hash of its description, as of a built-in chip
// RUN: swizzle-opt %s --swizzle-plan="agent=database database=%t.db hardware-file=%swizzle_src_root/hardware/mi300x.json" | FileCheck %s --check-prefix=HIT

// A forged record is refused with its counterexample.
// RUN: sh %S/Inputs/make_record.sh %s '"return x // 2"' > %t.forged.db
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=database database=%t.forged.db chip=mi300x" --remarks-filter=swizzle --remark-format=emitRemark 2> %t.forged | diff %t.before -
// RUN: FileCheck %s --check-prefix=FORGED < %t.forged
// FORGED: Missed{{.*}}Code=duplicate, Counterexample="workgroups (0) and (1) both map to (0){{.*}}is not legal
// RUN: not swizzle-opt %s --hw-aware-swizzle="agent=database database=%t.forged.db chip=mi300x on-failure=error" 2>&1 | FileCheck %s --check-prefix=FATAL
// FATAL: error: kernel 'k': agent 'database' failed (duplicate)
// FATAL: note: workgroups (0) and (1) both map to (0)
// RUN: sh %S/Inputs/make_record.sh %s '"return import os"' > %t.odd.db
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=database database=%t.odd.db chip=mi300x" --remarks-filter=swizzle --remark-format=emitRemark 2> %t.odd | diff %t.before -
// RUN: FileCheck %s --check-prefix=ODD < %t.odd
// ODD: Missed{{.*}}Code=unreadable

// Lines that cannot be read do not hide the others; a file that is not there
// is a failure like any other.
// RUN: sh -c "(echo nonsense; cat %t.db) > %t.torn.db"
// RUN: swizzle-opt %s --swizzle-plan="agent=database database=%t.torn.db chip=mi300x" | FileCheck %s --check-prefix=HIT
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=database database=%t.torn.db chip=mi325x" --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=TORN
// TORN: 1 lines could not be read, the first: {{.*}}.torn.db:1: not a JSON object
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=database database=%t.missing chip=mi300x" --remarks-filter=swizzle --remark-format=emitRemark 2> %t.nofile | diff %t.before -
// RUN: FileCheck %s --check-prefix=NOFILE < %t.nofile
// NOFILE: warning: there is no tuning database '{{.*}}.missing': no kernel will be found in it
// NOFILE: Missed{{.*}}Code=configuration{{.*}}cannot read the tuning database '{{.*}}.missing'
gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
