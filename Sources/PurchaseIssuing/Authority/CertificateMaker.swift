import Foundation
import PurchaseModel
import SwiftASN1
import X509

/// Makes the certificates of one chain, which have owner, times and signature algorithm in common.
struct CertificateMaker {
    /// What is signed, for the names.
    let purpose: String
    /// Whose authority it is, for the names.
    let owner: String
    /// The time that validity is reckoned from.
    let now: Timestamp
    /// How certificates are signed.
    let algorithm: Certificate.SignatureAlgorithm

    /// A year before `now`.
    var start: Timestamp { now.adding(days: -365).wholeSeconds }
    /// Twenty years after ``start``.
    var end: Timestamp { start.adding(days: 20 * 365) }
    /// When the validity of what has just expired ended.
    var yesterday: Timestamp { now.adding(days: -1).wholeSeconds }
    /// When the validity of what is not valid yet begins.
    var tomorrow: Timestamp { now.adding(days: 1).wholeSeconds }

    /// The name of a certificate with that part in the chain.
    func name(_ role: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName("Tillroll Local \(purpose) \(role)")
            OrganizationalUnitName(owner)
            OrganizationName("Tillroll Local")
        }
    }

    /// Certifies a key, from ``start`` to ``end`` and with a random number unless told otherwise.
    func certificate(
        for key: Certificate.PublicKey, named subject: DistinguishedName, by issuer: DistinguishedName,
        key issuerKey: Certificate.PrivateKey, from start: Timestamp? = nil, until end: Timestamp? = nil,
        serialNumber: Certificate.SerialNumber? = nil,
        @ExtensionsBuilder extensions: () throws -> Result<Certificate.Extensions, any Error>
    ) throws -> Certificate {
        let made = try Certificate(
            version: .v3, serialNumber: serialNumber ?? Self.newSerialNumber(), publicKey: key, notValidBefore: (start ?? self.start).date,
            notValidAfter: (end ?? self.end).date, issuer: issuer, subject: subject, signatureAlgorithm: algorithm,
            extensions: Certificate.Extensions(builder: extensions), issuerPrivateKey: issuerKey
        )
        // One that was made keeps the growing buffers that it was put together in, several times of what one that was read keeps.
        // Those with short RSA keys, as iOS 6 receipts had them, can be made and not read.
        let bytes = try made.derBytes
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        copy += bytes
        return (try? Certificate(derEncoded: copy)) ?? made
    }

    /// An extension that says all by being there; it holds a DER NULL.
    static func marker(_ identifier: ASN1ObjectIdentifier, critical: Bool = false) -> Certificate.Extension {
        Certificate.Extension(oid: identifier, critical: critical, value: [0x05, 0x00])
    }

    /// Where to ask whether a certificate was revoked.
    static func revocationAddress(_ url: String) -> AuthorityInformationAccess {
        AuthorityInformationAccess([.init(method: .ocspServer, location: .uniformResourceIdentifier(url))])
    }

    /// 128 random bits with the first one set: none starts with zeros, and every reader meets the sign byte that this costs.
    private static func newSerialNumber() -> Certificate.SerialNumber {
        var bytes = RandomBytes.system(16)
        bytes[0] |= 0x80
        return Certificate.SerialNumber(bytes: bytes)
    }
}
