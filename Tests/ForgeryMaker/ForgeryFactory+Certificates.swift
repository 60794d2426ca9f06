import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

extension ForgeryFactory {
    /// A certificate that looks like another one, with some other key or issuer.
    ///
    /// - Parameters:
    ///   - original: The one to copy name, number, validity and extensions from, in DER.
    ///   - key: The key that it is for.
    ///   - issuer: The issuer's certificate, in DER; nil keeps the names of the original's issuer.
    ///   - issuerKey: The key that signs it.
    func certificate(
        like original: [UInt8], for key: Certificate.PublicKey, by issuer: [UInt8]? = nil, key issuerKey: Certificate.PrivateKey
    ) throws -> [UInt8] {
        let original = try Certificate(derEncoded: original)
        let issuer = try issuer.map { try Certificate(derEncoded: $0) }
        var extensions = original.extensions
        if let issuer {
            // So that only the right to issue is missing, and no link.
            extensions.remove(.X509ExtensionID.authorityKeyIdentifier)
            try extensions.append(
                Certificate.Extension(
                    AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: issuer.publicKey).keyIdentifier), critical: false
                )
            )
        }
        extensions.remove(.X509ExtensionID.subjectKeyIdentifier)
        try extensions.append(Certificate.Extension(SubjectKeyIdentifier(hash: key), critical: false))
        let copy = try Certificate(
            version: .v3, serialNumber: original.serialNumber, publicKey: key, notValidBefore: original.notValidBefore,
            notValidAfter: original.notValidAfter, issuer: issuer?.subject ?? original.issuer, subject: original.subject,
            signatureAlgorithm: original.signatureAlgorithm, extensions: extensions, issuerPrivateKey: issuerKey
        )
        return try BER.encoded(copy)
    }

    /// What a signer is known by: the name of its certificate's issuer and the certificate's number.
    func issuerAndSerial(of certificate: [UInt8]) throws -> (issuer: [UInt8], serial: [UInt8]) {
        let certificate = try Certificate(derEncoded: certificate)
        return (try BER.encoded(certificate.issuer), Array(certificate.serialNumber.bytes))
    }

    /// A certificate as PEM.
    func pem(_ certificate: [UInt8]) -> String {
        PEMDocument(type: "CERTIFICATE", derBytes: certificate).pemString + "\n"
    }
}
