#include "../../Low/Private.h"
#include "Back/Back.h"
#include "swizzle/Low/Low.h"
