import Foundation
import FuzzSupport
import PurchaseProof

/// The payload of a receipt: any bytes, in a container that is as it should be.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPayload(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = try? UnverifiedReceipt(shell.wrapping(FuzzInput.bytes(start, count)))
    return 0
}

private let shell: ReceiptShell = {
    let receipt = try? Data(contentsOf: Corpus.folder.appending(path: "cms/apple.der"))
    guard let shell = receipt.flatMap({ ReceiptShell(Array($0)) }) else { fatalError("Fuzz/Corpus/cms/apple.der is no receipt.") }
    return shell
}()
