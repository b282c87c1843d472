; What a launch passes stands for nominal sizes in what is simulated, by the same list
; as in the option `args` of the pass. What does not fit its argument is refused.

; RUN: swizzle-sim %s --chip=h200 --grid=8 --block=64 | FileCheck %s --check-prefix=NOMINAL --implicit-check-not="arg3 ="
; RUN: swizzle-sim %s --chip=h200 --grid=8 --block=64 --args=?+32+?+?+?+{?:16} | FileCheck %s --check-prefix=CLAIMED
; A negative stride is a number like others.
; RUN: swizzle-sim %s --chip=h200 --grid=8 --block=64 --args=?+-1 | FileCheck %s --check-prefix=NEGATIVE
; NOMINAL: arg1 = 4096 (nominal)
; NOMINAL: arg5.1 = 4096 (nominal)
; CLAIMED: arg1 = 32 (claimed)
; CLAIMED: arg5.1 = 16 (claimed)
; NEGATIVE: arg1 = -1 (claimed)
; Narrow ones are no sizes, but may be claimed.
; RUN: swizzle-sim %s --chip=h200 --grid=8 --block=64 --args=?+?+?+7 | FileCheck %s --check-prefix=BYTE
; BYTE: arg3 = 7 (claimed)

; DEFINE: %{args} =
; DEFINE: %{refused} = not swizzle-sim %s --chip=h200 --grid=8 --block=64 --args=%{args} 2>&1

; REDEFINE: %{args} = 64
; RUN: %{refused} | FileCheck %s --check-prefix=POINTER
; POINTER: kernel k: --args: '64' for argument 0, which is '!llvm.ptr<1>': a pointer has no size; '?' is right, or 'map:...' of a tensor map
; REDEFINE: %{args} = 'map:4:64:1:8'
; RUN: %{refused} | FileCheck %s --check-prefix=NOMAP
; NOMAP: --args: 'map:4:64:1:8' for argument 0, which is '!llvm.ptr<1>': that is no tensor map, as the kernel loads or stores there
; REDEFINE: %{args} = '?+map:4:64:1:8'
; RUN: %{refused} | FileCheck %s --check-prefix=SIZE
; SIZE: for argument 1, which is 'i32': that is no tensor map; a size or '?' is right
; REDEFINE: %{args} = '?+{1}'
; RUN: %{refused} | FileCheck %s --check-prefix=NOSTRUCTURE
; NOSTRUCTURE: '{1}' for argument 1, which is 'i32': that is no structure which is passed by value
; REDEFINE: %{args} = ?+4294967296
; RUN: %{refused} | FileCheck %s --check-prefix=LARGE
; LARGE: '4294967296' for argument 1, which is 'i32': it holds numbers from -2147483648 to 4294967295
; REDEFINE: %{args} = ?+?+7
; RUN: %{refused} | FileCheck %s --check-prefix=FLOAT
; FLOAT: '7' for argument 2, which is 'f32': only integers are sizes
; REDEFINE: %{args} = ?+?+?+700
; RUN: %{refused} | FileCheck %s --check-prefix=NARROW
; NARROW: '700' for argument 3, which is 'i8': it holds numbers from -128 to 255
; REDEFINE: %{args} = ?+?+?+?+?+7
; RUN: %{refused} | FileCheck %s --check-prefix=STRUCTURE
; STRUCTURE: '7' for argument 5, which is '!llvm.ptr': a structure has members; '{?:4096}' claims of each
; REDEFINE: %{args} = '?+?+?+?+?+{7}'
; RUN: %{refused} | FileCheck %s --check-prefix=MEMBER
; MEMBER: '{7}' for argument 5, which is '!llvm.ptr': member 0, 7, is '!llvm.ptr': a pointer has no size
; REDEFINE: %{args} = '?+?+?+?+?+{?:?:?:99999}'
; RUN: %{refused} | FileCheck %s --check-prefix=HOLDS
; HOLDS: member 3, 99999, is 'i16': it holds numbers from -32768 to 65535
; REDEFINE: %{args} = '?+?+?+?+?+{?:?:?:?:1}'
; RUN: %{refused} | FileCheck %s --check-prefix=MEMBERS
; MEMBERS: it has 4 members: '!llvm.ptr', 'i32', 'f32', 'i16'
; REDEFINE: %{args} = ?+?+?+?+?+?+1
; RUN: %{refused} | FileCheck %s --check-prefix=MORE
; MORE: --args: 7 are given for 6 arguments: '!llvm.ptr<1>', 'i32', 'f32', 'i8', 'i16', '!llvm.ptr'
; REDEFINE: %{args} = ?+many
; RUN: %{refused} | FileCheck %s --check-prefix=BAD
; BAD: --args: 'many' is no size below 2^50, no tensor map 'map:...', no structure '{...}' and not '?'
; REDEFINE: %{args} = ''
; RUN: %{refused} | FileCheck %s --check-prefix=EMPTY
; EMPTY: --args= wants a value

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr addrspace(1) noalias %a, i32 %n, float %f, i8 %c, i16 %h, ptr byval({ptr, i32, float, i16}) %s) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = mul i32 %x, %n
  %member = getelementptr {ptr, i32, float, i16}, ptr %s, i32 0, i32 1
  %shift = load i32, ptr %member
  %at = add i32 %row, %shift
  %index = sext i32 %at to i64
  %place = getelementptr float, ptr addrspace(1) %a, i64 %index
  store float %f, ptr addrspace(1) %place
  ret void
}
