// -ffast-math would break the numerics contract silently: the library refuses it.
// flags: -ffast-math
// expect: must not be compiled with -ffast-math
#include "lamina/core/config.h"
