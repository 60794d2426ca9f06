import Foundation
import FuzzSupport
import PurchaseProof

/// Verifies an otherwise genuine JWS whose chain is the consecutive DER values in the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzX509(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let certificates = DER.values(in: FuzzInput.bytes(start, count)).prefix(3)
    let text = String(decoding: envelope.wrapping(certificates: Array(certificates)), as: UTF8.self)
    FuzzInput.wait { _ = await verifier.verifyAny(text) }
    return 0
}

private let envelope: JWSEnvelope = {
    let text = try? String(contentsOf: Corpus.folder.appending(path: "jws/transaction.jws"), encoding: .utf8)
    guard let envelope = text.flatMap(JWSEnvelope.init) else { fatalError("Fuzz/Corpus/jws/transaction.jws is not a JWS.") }
    return envelope
}()

private let verifier: SignedDataVerifier = {
    do { return try Corpus.signedDataVerifier(Corpus.roots()) } catch { fatalError("Fuzz/Corpus: \(error)") }
}()
