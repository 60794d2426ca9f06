import CryptoExtras
import SwiftASN1
import X509

/// The key that signs receipts of single transactions, and its certificate, which a root issued.
struct TransactionReceiptIdentity: Sendable {
    let key: _RSA.Signing.PrivateKey
    /// The certificate of the key in DER.
    ///
    /// The certificate is stored as bytes, because swift-certificates parses no certificates with RSA keys of less than 2048 bits.
    let certificate: [UInt8]

    private static let pemLabel = "CERTIFICATE"

    /// Creates the signer from its key, and issues the key's certificate with a root.
    ///
    /// - Parameters:
    ///   - builder: The builder of the certificate.
    ///   - key: The signing key, which has 1024 bits.
    ///   - root: The certificate of the root.
    ///   - rootKey: The private key of the root.
    ///   - serialNumber: The serial number of the certificate; nil for a random one.
    init(
        _ builder: CertificateBuilder, key: _RSA.Signing.PrivateKey, root: Certificate, rootKey: Certificate.PrivateKey,
        serialNumber: Certificate.SerialNumber? = nil
    ) throws {
        self.key = key
        let publicKey = Certificate.PublicKey(key.publicKey)
        certificate = try builder.certificate(
            for: publicKey, named: builder.name("Transaction Signing"), by: root.subject, key: rootKey,
            serialNumber: serialNumber
        ) {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            SubjectKeyIdentifier(hash: publicKey)
            AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: rootKey.publicKey).keyIdentifier)
            CertificateBuilder.marker([1, 2, 840, 113635, 100, 6, 5, 1])
        }.derBytes
    }

    /// Restores the signer from the key and the certificate in an authority's archive.
    ///
    /// - Throws: ``IssuingError/invalidArchive`` when the second block is not a certificate, or an error of parsing the key.
    init(key: PEMDocument, certificate: PEMDocument) throws {
        guard certificate.discriminator == Self.pemLabel else { throw IssuingError.invalidArchive }
        self.key = try _RSA.Signing.PrivateKey(unsafePEMRepresentation: key.pemString)
        self.certificate = certificate.derBytes
    }

    /// The key and the certificate as two PEM texts, for an authority's archive.
    var archive: [String] {
        [key.pemRepresentation, PEMDocument(type: Self.pemLabel, derBytes: certificate).pemString]
    }
}
