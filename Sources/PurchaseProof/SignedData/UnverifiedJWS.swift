import Foundation

/// A compact JWS, taken apart for looking at it; nothing in it is to be believed.
///
/// Anything that has the form is taken: algorithms and header members that a verifier refuses are shown here.
public struct UnverifiedJWS: Hashable, Sendable {
    /// The header's JSON.
    public let header: [UInt8]
    /// The payload's JSON.
    public let payload: [UInt8]
    /// The signature; 64 bytes for ES256.
    public let signature: [UInt8]
    /// The certificates of `x5c` as DER; those that are not base64 are left out.
    public let certificates: [[UInt8]]
    /// The kind of signed data that the payload's members show; nil when it is none that is known.
    public let kind: SignedDataKind?

    private struct Chain: Decodable {
        let x5c: [String]?
    }

    /// Takes a compact JWS apart.
    ///
    /// Throws where it is not three parts of base64url, or header or payload is not JSON that can be read in one way only.
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
