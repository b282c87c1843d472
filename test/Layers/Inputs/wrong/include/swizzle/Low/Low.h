#include "mlir/IR/BuiltinOps.h"
