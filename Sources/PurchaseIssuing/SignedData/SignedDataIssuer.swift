import Crypto
import Foundation
package import PurchaseModel
import PurchaseProof
import SwiftASN1
import X509

/// Signs transactions, renewal information and notifications as the App Store does: ES256 with three certificates in `x5c`.
package struct SignedDataIssuer: Sendable {
    private let authority: CertificateAuthority

    private struct Header: Encodable {
        let alg = "ES256"
        let x5c: [String]
    }

    /// Creates an issuer.
    package init(authority: CertificateAuthority) {
        self.authority = authority
    }

    /// Signs a payload.
    package func sign<Payload: Encodable>(_ payload: Payload) throws -> Signed<Payload> {
        let certificates = try authority.signedDataChain.certificates.map { certificate in
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return Data(serializer.serializedBytes).base64EncodedString()
        }
        let header = try WireJSON.encode(Header(x5c: certificates))
        let text = try Base64URL.encode(header) + "." + Base64URL.encode(WireJSON.encode(payload))
        let signature = try authority.signedDataKey.signature(for: Data(text.utf8))
        return Signed(text + "." + Base64URL.encode(signature.rawRepresentation))
    }
}
