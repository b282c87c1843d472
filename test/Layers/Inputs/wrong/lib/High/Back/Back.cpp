#include "Back.h"
#include "Front/Front.h"
