import Foundation
import FuzzSupport
import LocalAppStore

/// Parses bytes as a `.storekit` file of Xcode.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzStorekit(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = try? Catalog(storekit: Data(FuzzInput.bytes(start, count)))
    return 0
}
