import Foundation
import PurchaseModel
import SwiftASN1
import X509

/// Creates the certificates of one chain, which share owner, times and signature algorithm.
struct CertificateBuilder {
    /// The purpose of the chain's signatures, for the certificates' names.
    let purpose: String
    /// The authority's owner, for the certificates' names.
    let owner: String
    /// The time to which validity periods are relative.
    let now: Timestamp
    /// The signature algorithm of the certificates.
    let algorithm: Certificate.SignatureAlgorithm

    /// The start of the certificates' validity: a year before `now`.
    var start: Timestamp { now.adding(days: -365).wholeSeconds }
    /// The end of the certificates' validity: twenty years after ``start``.
    var end: Timestamp { start.adding(days: 20 * 365) }
    /// The end of the validity of an expired certificate.
    var yesterday: Timestamp { now.adding(days: -1).wholeSeconds }
    /// The start of the validity of a certificate that is not yet valid.
    var tomorrow: Timestamp { now.adding(days: 1).wholeSeconds }

    /// The name of a certificate with that role in the chain.
    func name(_ role: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName("Tillroll Local \(purpose) \(role)")
            OrganizationalUnitName(owner)
            OrganizationName("Tillroll Local")
        }
    }

    /// Certifies a key; by default from ``start`` to ``end``, with a random serial number.
    func certificate(
        for key: Certificate.PublicKey, named subject: DistinguishedName, by issuer: DistinguishedName,
        key issuerKey: Certificate.PrivateKey, from start: Timestamp? = nil, until end: Timestamp? = nil,
        serialNumber: Certificate.SerialNumber? = nil,
        @ExtensionsBuilder extensions: () throws -> Result<Certificate.Extensions, any Error>
    ) throws -> Certificate {
        let certificate = try Certificate(
            version: .v3, serialNumber: serialNumber ?? Self.newSerialNumber(), publicKey: key, notValidBefore: (start ?? self.start).date,
            notValidAfter: (end ?? self.end).date, issuer: issuer, subject: subject, signatureAlgorithm: algorithm,
            extensions: Certificate.Extensions(builder: extensions), issuerPrivateKey: issuerKey
        )
        // A certificate that was created keeps its encoding buffers, which are several times as large as a parsed certificate, so it is
        // parsed again. Certificates with short RSA keys, as of iOS 6 receipts, can be created but not parsed.
        let bytes = try certificate.derBytes
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        copy += bytes
        return (try? Certificate(derEncoded: copy)) ?? certificate
    }

    /// An extension whose presence is its meaning; its value is a DER NULL.
    static func marker(_ identifier: ASN1ObjectIdentifier, critical: Bool = false) -> Certificate.Extension {
        Certificate.Extension(oid: identifier, critical: critical, value: [0x05, 0x00])
    }

    /// The extension with the OCSP responder's address.
    static func ocspAccess(_ url: String) -> AuthorityInformationAccess {
        AuthorityInformationAccess([.init(method: .ocspServer, location: .uniformResourceIdentifier(url))])
    }

    /// A serial number of 128 random bits with the first bit set.
    ///
    /// No number starts with zeros, and every parser has to handle the sign byte that the first bit requires.
    private static func newSerialNumber() -> Certificate.SerialNumber {
        var bytes = RandomBytes.system(16)
        bytes[0] |= 0x80
        return Certificate.SerialNumber(bytes: bytes)
    }
}
