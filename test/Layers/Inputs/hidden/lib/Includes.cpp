#include "up/Ops.h"
#include <algorithm>
Op op;
Type type;
Kind value = Value;
int most = std::max(1, 2);
