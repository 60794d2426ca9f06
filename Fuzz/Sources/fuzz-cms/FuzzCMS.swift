import FuzzSupport
import PurchaseProof

/// Parses and verifies bytes as a receipt.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzCMS(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = FuzzInput.bytes(start, count)
    if let receipt = try? UnverifiedReceipt(bytes) {
        _ = receipt.certificates
        FuzzInput.wait { _ = await verifier.outcome(of: bytes) }
    }
    return 0
}

private let verifier: ReceiptVerifier = {
    do { return try Corpus.receiptVerifier(Corpus.roots()) } catch { fatalError("Fuzz/Corpus: \(error)") }
}()
