#include "up/Types.h"
class Op {
};
