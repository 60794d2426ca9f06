import Crypto
import SwiftASN1
import X509

/// Who answers in the name of an issuer whether a certificate was revoked: a key, and the issuer's word that it may.
struct ResponderIdentity: Sendable {
    let key: P256.Signing.PrivateKey
    let certificate: Certificate

    /// Makes a new key and has the issuer certify it.
    init(_ maker: CertificateMaker, for issuer: Certificate, key issuerKey: Certificate.PrivateKey) throws {
        let key = P256.Signing.PrivateKey()
        let publicKey = Certificate.PublicKey(key.publicKey)
        self.key = key
        certificate = try maker.certificate(
            for: publicKey, named: maker.name("OCSP Responder"), by: issuer.subject, key: issuerKey
        ) {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            try ExtendedKeyUsage([.ocspSigning])
            SubjectKeyIdentifier(hash: publicKey)
            AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: issuerKey.publicKey).keyIdentifier)
            // id-pkix-ocsp-nocheck: nobody need ask whether the responder itself was revoked.
            CertificateMaker.marker([1, 3, 6, 1, 5, 5, 7, 48, 1, 5])
        }
    }

    /// Takes key and certificate from an archive.
    init(key: PEMDocument, certificate: PEMDocument) throws {
        self.key = try P256.Signing.PrivateKey(pemRepresentation: key.pemString)
        self.certificate = try Certificate(pemDocument: certificate)
    }

    /// Key and certificate for an archive.
    var archive: [String] {
        get throws { [key.pemRepresentation, try certificate.serializeAsPEM().pemString] }
    }
}
