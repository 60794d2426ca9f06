import Foundation

/// A compact JWS that was parsed and not verified: anyone can have created it.
///
/// Use it to inspect a JWS. It accepts algorithms and header members that a verifier refuses.
public struct UnverifiedJWS: Hashable, Sendable {
    /// The header's JSON.
    public let header: [UInt8]
    /// The payload's JSON.
    public let payload: [UInt8]
    /// The signature; 64 bytes for ES256.
    public let signature: [UInt8]
    /// The certificates of `x5c` as DER, without those that are not base64.
    public let certificates: [[UInt8]]
    /// The kind of signed data; nil when it is unknown.
    public let kind: SignedDataKind?

    private struct Chain: Decodable {
        let x5c: [String]?
    }

    /// Parses a compact JWS.
    ///
    /// - Throws: A refusal unless it has three parts of base64url, and header and payload are unambiguous JSON.
    public init(_ compact: String) throws(Refusal) {
        let form = try CompactForm(compact)
        header = form.header
        payload = form.payload
        signature = form.signature
        kind = form.kind
        let chain = try? JSONDecoder().decode(Chain.self, from: Data(form.header))
        certificates = chain?.x5c?.compactMap { Data(base64Encoded: $0).map(Array.init) } ?? []
    }
}
