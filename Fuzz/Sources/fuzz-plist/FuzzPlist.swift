import FuzzSupport
import PurchaseProof

/// Parses and verifies bytes as a transaction receipt of iOS 6.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPlist(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = FuzzInput.bytes(start, count)
    _ = try? UnverifiedTransactionReceipt(bytes)
    _ = verifier.outcome(of: bytes)
    return 0
}

private let verifier: TransactionReceiptVerifier = {
    do { return try Corpus.transactionReceiptVerifier(Corpus.roots()) } catch { fatalError("Fuzz/Corpus: \(error)") }
}()
