import PurchaseProof
import SwiftASN1
import X509

/// The three certificates of a chain.
extension CertificateBuilder {
    /// The certificate of a root.
    ///
    /// - Parameter unknownIssuer: The issuer, if the certificate is not self-signed.
    func root(_ root: CertificateIssuer, by unknownIssuer: CertificateIssuer? = nil, defects: AuthorityDefects = []) throws -> Certificate {
        try certificate(
            for: root.key.publicKey, named: root.name, by: (unknownIssuer ?? root).name, key: (unknownIssuer ?? root).key,
            until: defects.contains(.expiredRoot) ? yesterday : nil
        ) {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: defects.contains(.rootPathLengthZero) ? 0 : nil))
            Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            root.keyID
            AuthorityKeyIdentifier(keyIdentifier: root.keyID.keyIdentifier)
        }
    }

    /// The certificate between leaf and root.
    ///
    /// - Parameters:
    ///   - signer: The signing key, if it is not the issuer's.
    ///   - ocspURL: The OCSP responder's address in the certificate; nil for no address.
    func intermediate(
        for key: Certificate.PublicKey, named name: DistinguishedName? = nil, by issuer: CertificateIssuer,
        signedWith signer: Certificate.PrivateKey? = nil, defects: AuthorityDefects, ocspURL: String?,
        serialNumber: Certificate.SerialNumber? = nil
    ) throws -> Certificate {
        try certificate(
            for: key, named: name ?? self.name("Intermediate CA"), by: issuer.name, key: signer ?? issuer.key,
            until: defects.contains(.expiredIntermediate) ? yesterday : nil, serialNumber: serialNumber
        ) {
            if defects.contains(.intermediateIsNotCA) {
                Critical(BasicConstraints.notCertificateAuthority)
            } else {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: defects.contains(.twoIntermediates) ? 1 : 0))
            }
            Critical(KeyUsage(keyCertSign: !defects.contains(.intermediateWithoutKeyCertSign), cRLSign: true))
            SubjectKeyIdentifier(hash: key)
            AuthorityKeyIdentifier(keyIdentifier: issuer.keyID.keyIdentifier)
            if !defects.contains(.intermediateWithoutMarker) {
                Self.marker(defects.contains(.swappedMarkers) ? Marker.leaf : Marker.intermediate)
            }
            if let ocspURL { Self.ocspAccess(ocspURL) }
        }
    }

    /// The certificate of a signing key; the parameters are the same as an intermediate's.
    func leaf(
        for key: Certificate.PublicKey, by issuer: CertificateIssuer, signedWith signer: Certificate.PrivateKey? = nil,
        defects: AuthorityDefects, ocspURL: String?, serialNumber: Certificate.SerialNumber? = nil
    ) throws -> Certificate {
        try certificate(
            for: key, named: name("Signing"), by: issuer.name, key: signer ?? issuer.key,
            from: defects.contains(.notYetValidLeaf) ? tomorrow : nil, until: defects.contains(.expiredLeaf) ? yesterday : nil,
            serialNumber: serialNumber
        ) {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(defects.contains(.leafWithoutDigitalSignature) ? KeyUsage(keyEncipherment: true) : KeyUsage(digitalSignature: true))
            SubjectKeyIdentifier(hash: key)
            AuthorityKeyIdentifier(keyIdentifier: issuer.keyID.keyIdentifier)
            if !defects.contains(.leafWithoutMarker) {
                Self.marker(defects.contains(.swappedMarkers) ? Marker.intermediate : Marker.leaf)
            }
            if defects.contains(.unknownCriticalExtension) { Self.marker([1, 3, 6, 1, 4, 1, 99999, 1], critical: true) }
            if let ocspURL { Self.ocspAccess(ocspURL) }
        }
    }
}
