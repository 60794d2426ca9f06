import Foundation

/// A compact JWS that was parsed and not verified, so that anyone can have created it.
///
/// Use this type to inspect a JWS. The parser accepts algorithms and header members that a ``SignedDataVerifier`` refuses.
public struct UnverifiedJWS: Hashable, Sendable {
    /// The header as JSON.
    public let header: [UInt8]
    /// The payload as JSON.
    public let payload: [UInt8]
    /// The bytes of the signature; 64 bytes for ES256.
    public let signature: [UInt8]
    /// The certificates of the header's member `x5c` as DER; strings that are not base64 are omitted.
    public let certificates: [[UInt8]]
    /// The kind of signed data, derived from the names of the payload's members; nil for data of no known kind.
    public let kind: SignedDataKind?

    private struct Chain: Decodable {
        let x5c: [String]?
    }

    /// Parses a compact JWS.
    ///
    /// - Throws: A refusal when the text does not have three parts of base64url, or when the header or the payload is not an unambiguous
    ///   JSON object, such as one with duplicate members.
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
