import SwiftASN1

/// A parsed OCSP request (RFC 6960, section 4.1.1).
///
/// ```
/// SEQUENCE {
///   SEQUENCE {
///     [0] INTEGER version OPTIONAL, [1] requestorName OPTIONAL,
///     SEQUENCE OF SEQUENCE { CertID, [0] extensions OPTIONAL },
///     [2] SEQUENCE OF Extension OPTIONAL
///   }
///   [0] signature OPTIONAL
/// }
/// ```
struct OCSPRequest {
    let certificates: [OCSPCertificateID]
    /// The value of the nonce extension; nil when the request has no nonce.
    let nonce: [UInt8]?

    static let nonceIdentifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 2]

    init(_ bytes: [UInt8]) throws {
        let node = try DER.parse(bytes)
        (certificates, nonce) = try DER.sequence(node, identifier: .sequence) { parts in
            guard let request = parts.next() else { throw Unreadable() }
            while parts.next() != nil {}  // The client's signature is not verified.
            return try DER.sequence(request, identifier: .sequence) { fields in
                var certificates: [OCSPCertificateID] = []
                var nonce: [UInt8]?
                while let field = fields.next() {
                    if field.identifier == .sequence {
                        certificates = try DER.sequence(of: Single.self, identifier: .sequence, rootNode: field).map(\.certificate)
                    } else if field.identifier == ASN1Identifier(tagWithNumber: 2, tagClass: .contextSpecific) {
                        nonce = try Self.nonce(in: field)
                    }
                }
                return (certificates, nonce)
            }
        }
        guard !certificates.isEmpty else { throw Unreadable() }
    }

    /// The error for a malformed OCSP request.
    ///
    /// The error has no details, because the response to every malformed request is the same.
    struct Unreadable: Error {}

    private static func nonce(in extensions: ASN1Node) throws -> [UInt8]? {
        try DER.explicitlyTagged(extensions, tagNumber: 2, tagClass: .contextSpecific) { node in
            try DER.sequence(node, identifier: .sequence) { nodes in
                var nonce: [UInt8]?
                while let node = nodes.next() {
                    try DER.sequence(node, identifier: .sequence) { fields in
                        let identifier = try ASN1ObjectIdentifier(derEncoded: &fields)
                        var value: ASN1Node?
                        while let field = fields.next() { value = field }
                        guard identifier == nonceIdentifier, let value else { return }
                        nonce = Array(try ASN1OctetString(derEncoded: value).bytes)
                    }
                }
                return nonce
            }
        }
    }

    private struct Single: DERParseable {
        let certificate: OCSPCertificateID

        init(derEncoded node: ASN1Node) throws {
            certificate = try DER.sequence(node, identifier: .sequence) { fields in
                let certificate = try OCSPCertificateID(derEncoded: &fields)
                while fields.next() != nil {}
                return certificate
            }
        }
    }
}
