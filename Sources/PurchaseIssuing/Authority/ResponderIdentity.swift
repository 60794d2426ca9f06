import Crypto
import SwiftASN1
import X509

/// The identity of an authorized OCSP responder: a key, and the certificate by which the issuer authorizes it.
struct ResponderIdentity: Sendable {
    let key: P256.Signing.PrivateKey
    let certificate: Certificate

    /// Generates a key and has the issuer certify it.
    init(_ builder: CertificateBuilder, for issuer: Certificate, key issuerKey: Certificate.PrivateKey) throws {
        let key = P256.Signing.PrivateKey()
        let publicKey = Certificate.PublicKey(key.publicKey)
        self.key = key
        certificate = try builder.certificate(
            for: publicKey, named: builder.name("OCSP Responder"), by: issuer.subject, key: issuerKey
        ) {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            try ExtendedKeyUsage([.ocspSigning])
            SubjectKeyIdentifier(hash: publicKey)
            AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: issuerKey.publicKey).keyIdentifier)
            // id-pkix-ocsp-nocheck: clients do not check the revocation status of the responder itself.
            CertificateBuilder.marker([1, 3, 6, 1, 5, 5, 7, 48, 1, 5])
        }
    }

    /// Reads key and certificate from an archive.
    init(key: PEMDocument, certificate: PEMDocument) throws {
        self.key = try P256.Signing.PrivateKey(pemRepresentation: key.pemString)
        self.certificate = try Certificate(pemDocument: certificate)
    }

    /// Key and certificate for an archive.
    var archive: [String] {
        get throws { [key.pemRepresentation, try certificate.serializeAsPEM().pemString] }
    }
}
