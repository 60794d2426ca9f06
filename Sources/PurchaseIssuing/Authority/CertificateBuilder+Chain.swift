import PurchaseProof
import SwiftASN1
import X509

// The certificates of a chain: root, intermediate and leaf.
extension CertificateBuilder {
    /// Creates a root certificate.
    ///
    /// - Parameters:
    ///   - root: The name and the key of the root.
    ///   - unknownIssuer: The issuer of the certificate; nil for a self-signed certificate.
    ///   - defects: The defects of the certificate, for tests; empty for a valid certificate.
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

    /// Creates an intermediate certificate.
    ///
    /// - Parameters:
    ///   - key: The public key of the intermediate.
    ///   - name: The name of the intermediate; nil for the name of the chain's intermediate.
    ///   - issuer: The issuer, whose name the certificate states.
    ///   - signer: The key that signs the certificate; nil for the issuer's key.
    ///   - defects: The defects of the certificate, for tests; empty for a valid certificate.
    ///   - ocspURL: The URL of the OCSP responder, which the certificate states; nil for a certificate without a URL.
    ///   - serialNumber: The serial number; nil for a random one.
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

    /// Creates a leaf certificate, whose key signs receipts or signed data.
    ///
    /// - Parameters:
    ///   - key: The public key of the leaf.
    ///   - issuer: The issuer, whose name the certificate states.
    ///   - signer: The key that signs the certificate; nil for the issuer's key.
    ///   - defects: The defects of the certificate, for tests; empty for a valid certificate.
    ///   - ocspURL: The URL of the OCSP responder, which the certificate states; nil for a certificate without a URL.
    ///   - serialNumber: The serial number; nil for a random one.
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
