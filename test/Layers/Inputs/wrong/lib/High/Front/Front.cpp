#include "Back/Back.h"
#include "swizzle/Low/Low.h"
#include "../../Low/Private.h"
