import Foundation
import FuzzSupport
import PurchaseProof

/// Parses bytes as the payload of a receipt with a genuine container.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPayload(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = try? UnverifiedReceipt(envelope.wrapping(FuzzInput.bytes(start, count)))
    return 0
}

private let envelope: ReceiptEnvelope = {
    let receipt = try? Data(contentsOf: Corpus.folder.appending(path: "cms/apple.der"))
    guard let envelope = receipt.flatMap({ ReceiptEnvelope(Array($0)) }) else { fatalError("Fuzz/Corpus/cms/apple.der is not a receipt.") }
    return envelope
}()
