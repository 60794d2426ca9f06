import Foundation
import FuzzSupport
import LocalAppStore

/// The `.storekit` file that Xcode writes and the local store reads.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzStorekit(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = try? Catalog(storekit: Data(FuzzInput.bytes(start, count)))
    return 0
}
