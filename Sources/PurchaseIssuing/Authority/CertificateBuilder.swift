import Foundation
import PurchaseModel
import SwiftASN1
import X509

/// Creates the certificates of one chain, which have the same owner, period of validity and signature algorithm.
struct CertificateBuilder {
    /// The purpose of the chain, such as `Receipt`, which the names of the certificates contain.
    let purpose: String
    /// The owner of the authority, which the names of the certificates contain.
    let owner: String
    /// The time from which the periods of validity are computed.
    let now: Timestamp
    /// The signature algorithm of the certificates.
    let algorithm: Certificate.SignatureAlgorithm

    /// The start of the certificates' validity: a year before `now`.
    var start: Timestamp { now.adding(days: -365).wholeSeconds }
    /// The end of the certificates' validity: twenty years after ``start``.
    var end: Timestamp { start.adding(days: 20 * 365) }
    /// The end of the validity of an expired certificate: a day before ``now``.
    var yesterday: Timestamp { now.adding(days: -1).wholeSeconds }
    /// The start of the validity of a certificate that is not yet valid: a day after ``now``.
    var tomorrow: Timestamp { now.adding(days: 1).wholeSeconds }

    /// Returns the name of a certificate with a role in the chain, such as `Root CA`.
    func name(_ role: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName("Tillroll Local \(purpose) \(role)")
            OrganizationalUnitName(owner)
            OrganizationName("Tillroll Local")
        }
    }

    /// Creates a certificate for a public key.
    ///
    /// - Parameters:
    ///   - key: The public key that the certificate certifies.
    ///   - subject: The name of the key's owner.
    ///   - issuer: The name of the issuer.
    ///   - issuerKey: The key that signs the certificate.
    ///   - start: The start of the validity; nil for the builder's ``start``.
    ///   - end: The end of the validity; nil for the builder's ``end``.
    ///   - serialNumber: The serial number; nil for a random one.
    ///   - extensions: The extensions of the certificate.
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
        // A certificate that swift-certificates creates keeps its encoding buffers, which are several times as large as a parsed
        // certificate. The copy is parsed from the encoding to save this memory. swift-certificates cannot parse certificates with RSA keys
        // of less than 2048 bits, such as those of transaction receipts, so they are returned as they were created.
        let bytes = try certificate.derBytes
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        copy += bytes
        return (try? Certificate(derEncoded: copy)) ?? certificate
    }

    /// Returns an extension with a DER NULL as its value, such as Apple's marker extensions, whose presence alone has a meaning.
    static func marker(_ identifier: ASN1ObjectIdentifier, critical: Bool = false) -> Certificate.Extension {
        Certificate.Extension(oid: identifier, critical: critical, value: [0x05, 0x00])
    }

    /// Returns the extension that states the URL of the OCSP responder.
    static func ocspAccess(_ url: String) -> AuthorityInformationAccess {
        AuthorityInformationAccess([.init(method: .ocspServer, location: .uniformResourceIdentifier(url))])
    }

    /// Returns a serial number of 128 random bits, of which the first bit is set.
    ///
    /// Because of the first bit, all serial numbers have the same length in DER: 16 bytes after a leading zero byte.
    private static func newSerialNumber() -> Certificate.SerialNumber {
        var bytes = RandomBytes.system(16)
        bytes[0] |= 0x80
        return Certificate.SerialNumber(bytes: bytes)
    }
}
