import Crypto
import Foundation
import PurchaseProof

/// The parts of a compact JWS as StoreKit shows them.
///
/// StoreKit has no value for what is absent: data that can't be taken apart has empty parts, and the signature of nothing.
struct SignedParts {
    let compact: String

    private var parts: [Substring] { compact.split(separator: ".", omittingEmptySubsequences: false) }

    private func decoded(_ index: Int) -> Data {
        let parts = parts
        guard parts.indices.contains(index) else { return Data() }
        return Data(Base64URL.decode(parts[index].utf8) ?? [])
    }

    /// The header's JSON.
    var header: Data { decoded(0) }
    /// The payload's JSON.
    var payload: Data { decoded(1) }
    /// The signature; 64 bytes.
    var signature: Data { decoded(2) }
    /// What the signature is computed over: header and payload as they stand, with the dot.
    var signed: Data {
        guard let end = compact.lastIndex(of: ".") else { return Data() }
        return Data(compact[..<end].utf8)
    }
    /// The signature as Crypto's value.
    var cryptoSignature: P256.Signing.ECDSASignature {
        if let value = try? P256.Signing.ECDSASignature(rawRepresentation: signature) { return value }
        return Self.none
    }

    private static let none: P256.Signing.ECDSASignature = {
        // 64 bytes are a raw signature, whatever they say; this one verifies nothing.
        guard let none = try? P256.Signing.ECDSASignature(rawRepresentation: Data(count: 64)) else {
            fatalError("Crypto takes no raw signature of 64 bytes")  // reason: it checks the length only, and no input reaches this.
        }
        return none
    }()
}
