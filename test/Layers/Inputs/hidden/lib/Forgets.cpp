#include "swizzle/Own.h"
// Only what is named counts, not "Op" in a text or Op in a comment.
const char *text = "Op";
Op op;
Type *type;
int most = std::max(1, 2);
