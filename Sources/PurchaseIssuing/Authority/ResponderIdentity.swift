import Crypto
import SwiftASN1
import X509

/// The private key of an authorized OCSP responder, and the certificate by which an issuer authorizes the responder.
struct ResponderIdentity: Sendable {
    let key: P256.Signing.PrivateKey
    let certificate: Certificate

    /// Generates the key of a responder, and issues its certificate.
    ///
    /// - Parameters:
    ///   - builder: The builder of the certificate.
    ///   - issuer: The certificate of the issuer, for whose certificates the responder responds.
    ///   - issuerKey: The private key of the issuer.
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
            // The extension id-pkix-ocsp-nocheck tells clients not to request the revocation status of the responder's own certificate.
            CertificateBuilder.marker([1, 3, 6, 1, 5, 5, 7, 48, 1, 5])
        }
    }

    /// Restores a responder from the key and the certificate in an authority's archive.
    init(key: PEMDocument, certificate: PEMDocument) throws {
        self.key = try P256.Signing.PrivateKey(pemRepresentation: key.pemString)
        self.certificate = try Certificate(pemDocument: certificate)
    }

    /// The key and the certificate as two PEM texts, for an authority's archive.
    var archive: [String] {
        get throws { [key.pemRepresentation, try certificate.serializeAsPEM().pemString] }
    }
}
