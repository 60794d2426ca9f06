import Crypto
import Foundation
import PurchaseProof

/// The parts of a compact JWS, in the types of StoreKit's properties.
///
/// StoreKit's properties are not optional. For a text that is not a JWS, the parts are empty, and the signature consists of zeros.
struct SignedParts {
    let compact: String

    private var parts: [Substring] { compact.split(separator: ".", omittingEmptySubsequences: false) }

    private func decoded(_ index: Int) -> Data {
        let parts = parts
        guard parts.indices.contains(index) else { return Data() }
        return Data(Base64URL.decode(parts[index].utf8) ?? [])
    }

    /// The decoded header of the JWS as JSON.
    var header: Data { decoded(0) }
    /// The decoded payload of the JWS as JSON.
    var payload: Data { decoded(1) }
    /// The decoded signature of the JWS; 64 bytes for ES256.
    var signature: Data { decoded(2) }
    /// The data that the signature covers: the encoded header and payload, with a dot between them.
    var signed: Data {
        guard let end = compact.lastIndex(of: ".") else { return Data() }
        return Data(compact[..<end].utf8)
    }
    /// The signature of the JWS as an ECDSA signature of the Crypto module.
    var cryptoSignature: P256.Signing.ECDSASignature {
        if let value = try? P256.Signing.ECDSASignature(rawRepresentation: signature) { return value }
        return Self.none
    }

    private static let none: P256.Signing.ECDSASignature = {
        // Crypto accepts any 64 bytes as a raw signature. A signature of zeros is never valid for any data.
        guard let none = try? P256.Signing.ECDSASignature(rawRepresentation: Data(count: 64)) else {
            // reason: Crypto checks only the length, which is constant.
            fatalError("Crypto refused a raw P-256 signature of 64 zero bytes.")
        }
        return none
    }()
}
