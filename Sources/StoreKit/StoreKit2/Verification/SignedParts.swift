import Crypto
import Foundation
import PurchaseProof

/// The parts of a compact JWS in the types of StoreKit's properties.
///
/// StoreKit's properties are not optional: for data that is not a JWS, the parts are empty and the signature is all zeros.
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
    /// The signing input: the encoded header and payload with the dot between them.
    var signed: Data {
        guard let end = compact.lastIndex(of: ".") else { return Data() }
        return Data(compact[..<end].utf8)
    }
    /// The signature as a value of Crypto.
    var cryptoSignature: P256.Signing.ECDSASignature {
        if let value = try? P256.Signing.ECDSASignature(rawRepresentation: signature) { return value }
        return Self.none
    }

    private static let none: P256.Signing.ECDSASignature = {
        // Any 64 bytes are a raw signature. A signature of zeros is never valid.
        guard let none = try? P256.Signing.ECDSASignature(rawRepresentation: Data(count: 64)) else {
            fatalError("Crypto refused a raw signature of 64 bytes.")  // reason: Crypto checks only the length, which is constant.
        }
        return none
    }()
}
