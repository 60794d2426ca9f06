import SwiftASN1
import X509

/// The identifier of a certificate in OCSP (CertID): hashes of the issuer's name and key, and the certificate's serial number.
struct OCSPCertificateID: DERParseable {
    /// The AlgorithmIdentifier of the hash algorithm as the OCSP request states it, which the response repeats.
    let algorithm: ASN1Any
    let digest: ReceiptDigest?
    let issuerNameHash: [UInt8]
    let issuerKeyHash: [UInt8]
    var serialNumber: [UInt8]

    init(derEncoded node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { fields in
            guard let algorithm = fields.next() else { throw OCSPRequest.Unreadable() }
            let identifier = try DER.sequence(algorithm, identifier: .sequence) { parts in
                let identifier = try ASN1ObjectIdentifier(derEncoded: &parts)
                while parts.next() != nil {}
                return identifier
            }
            return try OCSPCertificateID(
                algorithm: ASN1Any(derEncoded: algorithm),
                digest: ReceiptDigest.allCases.first { $0.identifier == identifier },
                issuerNameHash: Array(ASN1OctetString(derEncoded: &fields).bytes),
                issuerKeyHash: Array(ASN1OctetString(derEncoded: &fields).bytes),
                serialNumber: Array(ArraySlice<UInt8>(derEncoded: &fields))
            )
        }
    }

    private init(algorithm: ASN1Any, digest: ReceiptDigest?, issuerNameHash: [UInt8], issuerKeyHash: [UInt8], serialNumber: [UInt8]) {
        self.algorithm = algorithm
        self.digest = digest
        self.issuerNameHash = issuerNameHash
        self.issuerKeyHash = issuerKeyHash
        self.serialNumber = serialNumber
    }

    /// Returns whether the hashes are those of an issuer's name and key.
    ///
    /// The result is false when the hash algorithm is not supported.
    func isIssued(by issuer: Certificate) throws -> Bool {
        guard let digest else { return false }
        return try digest.hash(issuer.subject.derBytes) == issuerNameHash
            && digest.hash(Array(issuer.publicKey.subjectPublicKeyInfoBytes)) == issuerKeyHash
    }
}

extension OCSPCertificateID: DERSerializable {
    func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(algorithm)
            try coder.serialize(ASN1OctetString(contentBytes: issuerNameHash[...]))
            try coder.serialize(ASN1OctetString(contentBytes: issuerKeyHash[...]))
            try coder.serialize(serialNumber[...])
        }
    }
}
