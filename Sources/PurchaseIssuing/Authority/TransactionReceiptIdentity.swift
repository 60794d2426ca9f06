import CryptoExtras
import SwiftASN1
import X509

/// The signer of single transactions' receipts: a key of 1024 bits that the receipts' root certifies.
struct TransactionReceiptIdentity: Sendable {
    let key: _RSA.Signing.PrivateKey
    /// The certificate in DER.
    ///
    /// The property holds bytes, because the certificate library parses no RSA keys of less than 2048 bits.
    let certificate: [UInt8]

    private static let pemLabel = "CERTIFICATE"

    /// Certifies a key with the root.
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

    /// Reads key and certificate from an archive.
    init(key: PEMDocument, certificate: PEMDocument) throws {
        guard certificate.discriminator == Self.pemLabel else { throw IssuingError.invalidArchive }
        self.key = try _RSA.Signing.PrivateKey(unsafePEMRepresentation: key.pemString)
        self.certificate = certificate.derBytes
    }

    /// Key and certificate for an archive.
    var archive: [String] {
        [key.pemRepresentation, PEMDocument(type: Self.pemLabel, derBytes: certificate).pemString]
    }
}
