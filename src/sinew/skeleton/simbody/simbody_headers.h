// Simbody's headers, for the sources of this folder. The library is built with its checks on, and
// classes have members for them: sources that leave them out would disagree on the classes' sizes.
#pragma once

#undef NDEBUG
#include <Simbody.h>
