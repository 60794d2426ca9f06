import FuzzSupport
import PurchaseProof

/// Parses and verifies text as a compact JWS of any kind.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzJWS(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: FuzzInput.bytes(start, count), as: UTF8.self)
    if (try? UnverifiedJWS(text)) != nil {
        FuzzInput.wait { _ = await verifier.verifyAny(text) }
    }
    return 0
}

private let verifier: SignedDataVerifier = {
    do { return try Corpus.signedDataVerifier(Corpus.roots()) } catch { fatalError("Fuzz/Corpus: \(error)") }
}()
