#include "swizzle/High/High.h"
