// SwiftPM builds a target of C from sources; the header is all there is.
#include "CStoreKit.h"
