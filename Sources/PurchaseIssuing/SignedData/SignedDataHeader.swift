import Foundation
import PurchaseModel

/// The header of a JWS before encoding.
///
/// ``SignedDataIssuer/header`` is a valid header, of which a test can change a part.
package struct SignedDataHeader: Sendable {
    /// The algorithm's name; nil omits the member.
    package var algorithm: String?
    /// The key ID, which only Xcode states.
    package var keyID: String?
    /// The type, which only Xcode states.
    package var type: String?
    /// The certificates in DER, leaf first; nil omits the member.
    package var certificates: [[UInt8]]?
    /// Further members as JSON, each with its leading comma, such as `,"jku":"https://example.com"`.
    package var additionalMembers = ""

    private struct Members: Encodable {
        let alg: String?
        let kid: String?
        let typ: String?
        let x5c: [String]?
    }

    /// The encoded JSON.
    package var encoded: [UInt8] {
        get throws {
            let chain = certificates?.map { Data($0).base64EncodedString() }
            let json = try WireJSON.encode(Members(alg: algorithm, kid: keyID, typ: type, x5c: chain))
            return Array(json.dropLast()) + Array(additionalMembers.utf8) + Array("}".utf8)
        }
    }
}
