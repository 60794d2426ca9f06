// SwiftPM requires a source file in a C target; the header contains all declarations.
#include "CStoreKit.h"
