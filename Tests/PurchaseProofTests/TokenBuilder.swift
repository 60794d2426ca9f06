import Crypto
import Foundation
import PurchaseModel
import PurchaseTestSupport
import SwiftASN1

@testable import PurchaseIssuing
@testable import PurchaseProof

/// Builds compact JWS member by member, good ones and tricky ones.
struct TokenBuilder {
    var algorithm = "ES256"
    var certificates: [String]
    /// Further members of the header, as JSON with a leading comma.
    var members = ""
    var payload: String
    var key = TestAuthority.shared.authority.signedDataKey
    /// What is done to the finished text.
    var finish: @Sendable (String) -> String = { $0 }

    init(payload: String) throws {
        self.payload = payload
        certificates = try Self.chain(of: TestAuthority.shared)
    }

    static func chain(of authority: TestAuthority) throws -> [String] {
        try authority.authority.signedDataChain.certificates.map { certificate in
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return Data(serializer.serializedBytes).base64EncodedString()
        }
    }

    func build() throws -> String {
        let x5c = certificates.map { "\"\($0)\"" }.joined(separator: ",")
        let header = "{\"alg\":\"\(algorithm)\",\"x5c\":[\(x5c)]\(members)}"
        let text = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        let signature = try key.signature(for: Data(text.utf8))
        return finish(text + "." + Base64URL.encode(signature.rawRepresentation))
    }
}
