import Foundation
import PurchaseModel

/// The header of a JWS before it is written: a good one as ``SignedDataIssuer/header`` has it, until a test changes a part.
package struct SignedDataHeader: Sendable {
    /// The algorithm that it names; nil leaves the member out.
    package var algorithm: String?
    /// The name of the key, which only Xcode gives.
    package var keyID: String?
    /// The type, which only Xcode states.
    package var type: String?
    /// The certificates in DER, leaf first; nil leaves the member out.
    package var certificates: [[UInt8]]?
    /// JSON of further members, each with its leading comma, such as `,"jku":"https://example.com"`.
    package var furtherMembers = ""

    private struct Members: Encodable {
        let alg: String?
        let kid: String?
        let typ: String?
        let x5c: [String]?
    }

    /// The JSON.
    package var encoded: [UInt8] {
        get throws {
            let chain = certificates?.map { Data($0).base64EncodedString() }
            let json = try WireJSON.encode(Members(alg: algorithm, kid: keyID, typ: type, x5c: chain))
            return Array(json.dropLast()) + Array(furtherMembers.utf8) + Array("}".utf8)
        }
    }
}
