import Foundation
import FoundationExtras

/// The header of a JWS before encoding.
///
/// ``SignedDataIssuer/header`` is a valid header. Tests change parts of it to create invalid signed data.
package struct SignedDataHeader: Sendable {
    /// The name of the signature algorithm (`alg`); nil for a header without the member.
    package var algorithm: String?
    /// The key ID (`kid`), which only headers from Xcode have; nil for a header without the member.
    package var keyID: String?
    /// The type (`typ`), which only headers from Xcode have; nil for a header without the member.
    package var type: String?
    /// The certificates in DER (`x5c`), leaf first; nil for a header without the member.
    package var certificates: [[UInt8]]?
    /// The JSON text of additional members, each with a leading comma, such as `,"jku":"https://example.com"`.
    package var additionalMembers = ""

    private struct Members: Encodable {
        let alg: String?
        let kid: String?
        let typ: String?
        let x5c: [String]?
    }

    /// The header as JSON.
    package var encoded: [UInt8] {
        get throws {
            let chain = certificates?.map { Data($0).base64EncodedString() }
            let json = try WireJSON.encode(Members(alg: algorithm, kid: keyID, typ: type, x5c: chain))
            return Array(json.dropLast()) + Array(additionalMembers.utf8) + Array("}".utf8)
        }
    }
}
