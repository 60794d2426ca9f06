import Foundation
import PurchaseModel
import PurchaseProof
import SwiftASN1
import X509

/// The three certificates that say what a signing key may sign.
struct SigningChain: Sendable {
    /// The certificate of the signing key.
    let leaf: Certificate
    /// The certificate between it and the root.
    let intermediate: Certificate
    /// The certificate that a verifier has to trust.
    let root: Certificate

    /// All three, in the order in which they are sent.
    var certificates: [Certificate] { [leaf, intermediate, root] }

    /// Takes leaf, intermediate and root from an archive.
    init(leaf: PEMDocument, intermediate: PEMDocument, root: PEMDocument) throws {
        self.leaf = try Certificate(pemDocument: leaf)
        self.intermediate = try Certificate(pemDocument: intermediate)
        self.root = try Certificate(pemDocument: root)
    }

    /// Certifies keys.
    ///
    /// - Parameters:
    ///   - purpose: What is signed, for the names.
    ///   - owner: Whose authority it is, for the names.
    ///   - now: The time that validity is reckoned from.
    ///   - keys: The keys of root, intermediate and leaf.
    ///   - algorithm: How root and intermediate sign certificates.
    ///   - flaws: What to do wrong.
    init(
        purpose: String, owner: String, now: Timestamp,
        keys: (root: Certificate.PrivateKey, intermediate: Certificate.PrivateKey, leaf: Certificate.PublicKey),
        algorithm: Certificate.SignatureAlgorithm, flaws: AuthorityFlaws
    ) throws {
        let start = now.adding(days: -365).wholeSeconds
        let end = start.adding(days: 20 * 365)

        func name(_ role: String) throws -> DistinguishedName {
            try DistinguishedName {
                CommonName("Tillroll Local \(purpose) \(role)")
                OrganizationalUnitName(owner)
                OrganizationName("Tillroll Local")
            }
        }

        func certificate(
            for key: Certificate.PublicKey, named subject: DistinguishedName, by issuer: DistinguishedName,
            key issuerKey: Certificate.PrivateKey,
            until end: Timestamp, @ExtensionsBuilder extensions: () throws -> Result<Certificate.Extensions, any Error>
        ) throws -> Certificate {
            try Certificate(
                version: .v3, serialNumber: Self.newSerialNumber(), publicKey: key, notValidBefore: start.date,
                notValidAfter: end.date, issuer: issuer, subject: subject, signatureAlgorithm: algorithm,
                extensions: Certificate.Extensions(builder: extensions), issuerPrivateKey: issuerKey
            )
        }

        let rootName = try name("Root CA")
        let intermediateName = try name("Intermediate CA")
        let rootID = SubjectKeyIdentifier(hash: keys.root.publicKey)
        let intermediateID = SubjectKeyIdentifier(hash: keys.intermediate.publicKey)

        root = try certificate(for: keys.root.publicKey, named: rootName, by: rootName, key: keys.root, until: end) {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            rootID
            AuthorityKeyIdentifier(keyIdentifier: rootID.keyIdentifier)
        }
        intermediate = try certificate(
            for: keys.intermediate.publicKey, named: intermediateName, by: rootName, key: keys.root, until: end
        ) {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            intermediateID
            AuthorityKeyIdentifier(keyIdentifier: rootID.keyIdentifier)
            if !flaws.contains(.noIntermediateMarker) {
                Self.marker(Marker.intermediate)
            }
        }
        leaf = try certificate(
            for: keys.leaf, named: name("Signing"), by: intermediateName, key: keys.intermediate,
            until: flaws.contains(.expiredLeaf) ? now.adding(days: -1).wholeSeconds : end
        ) {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            SubjectKeyIdentifier(hash: keys.leaf)
            AuthorityKeyIdentifier(keyIdentifier: intermediateID.keyIdentifier)
            if !flaws.contains(.noLeafMarker) {
                Self.marker(Marker.leaf)
            }
        }
    }

    /// 128 random bits with the first one set: none starts with zeros, and every reader meets the sign byte that this costs.
    private static func newSerialNumber() -> Certificate.SerialNumber {
        var bytes = RandomBytes.system(16)
        bytes[0] |= 0x80
        return Certificate.SerialNumber(bytes: bytes)
    }

    /// An extension that says all by being there; it holds a DER NULL.
    private static func marker(_ identifier: ASN1ObjectIdentifier) -> Certificate.Extension {
        Certificate.Extension(oid: identifier, critical: false, value: [0x05, 0x00])
    }
}
