import FuzzSupport
import PurchaseProof

/// The property list of a transaction receipt of iOS 6.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPlist(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    0
}
