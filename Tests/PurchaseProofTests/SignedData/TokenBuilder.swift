import Crypto
import Foundation
import FoundationExtras
import PurchaseTestSupport

@testable import PurchaseIssuing
@testable import PurchaseProof

/// Builds genuine and tampered compact JWS member by member.
struct TokenBuilder {
    var algorithm = "ES256"
    var certificates: [String]
    /// Further members of the header, as JSON with a leading comma.
    var members = ""
    /// The whole header, which replaces the header that is built from the other properties.
    var header: String?
    var payload: String
    var key = TestAuthority.shared.authority.signedDataSigner
    /// The change of the finished token.
    var finish: @Sendable (String) -> String = { $0 }

    init(payload: String) throws {
        self.payload = payload
        certificates = try Self.chain(of: TestAuthority.shared)
    }

    /// Creates a builder of a genuine token with a payload.
    init(_ payload: some Encodable) throws {
        try self.init(payload: String(decoding: WireJSON.encode(payload), as: UTF8.self))
    }

    static func chain(of authority: TestAuthority) throws -> [String] {
        try authority.authority.signedDataChain.certificates.map { Data(try $0.derBytes).base64EncodedString() }
    }

    func build() throws -> String {
        let x5c = certificates.map { "\"\($0)\"" }.joined(separator: ",")
        let header = header ?? "{\"alg\":\"\(algorithm)\",\"x5c\":[\(x5c)]\(members)}"
        let text = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        return finish(text + "." + Base64URL.encode(try key.jwsSignature(for: Array(text.utf8))))
    }
}
