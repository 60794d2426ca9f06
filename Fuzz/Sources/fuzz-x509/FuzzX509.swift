import Foundation
import FuzzSupport
import PurchaseProof

/// Certificates: the values of DER that stand one after another in the bytes are the chain of an otherwise genuine JWS.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzX509(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let certificates = DER.values(in: FuzzInput.bytes(start, count)).prefix(3)
    let text = String(decoding: shell.wrapping(certificates: Array(certificates)), as: UTF8.self)
    FuzzInput.wait { _ = await verifier.verifyAny(text) }
    return 0
}

private let shell: JWSShell = {
    let text = try? String(contentsOf: Corpus.folder.appending(path: "jws/transaction.jws"), encoding: .utf8)
    guard let shell = text.flatMap(JWSShell.init) else { fatalError("Fuzz/Corpus/jws/transaction.jws is no JWS.") }
    return shell
}()

private let verifier: SignedDataVerifier = {
    do { return try Corpus.signedDataVerifier(Corpus.roots()) } catch { fatalError("Fuzz/Corpus: \(error)") }
}()
