import X509

/// The name and the private key with which a root or an intermediate issues certificates.
struct CertificateIssuer: Sendable {
    let name: DistinguishedName
    let key: Certificate.PrivateKey

    /// The subject key identifier of the issuer, which issued certificates state as their authority key identifier.
    var keyID: SubjectKeyIdentifier { SubjectKeyIdentifier(hash: key.publicKey) }
}

/// The leaf and intermediate certificates of a certificate authority, whose revocation status an ``OCSPResponder`` states.
package enum AuthorityCertificate: CaseIterable, Sendable {
    case receiptLeaf
    case receiptIntermediate
    case signedDataLeaf
    case signedDataIntermediate
}

/// The certificate and the private key of a TLS server, which a certificate authority issued.
package struct TLSIdentity: Sendable {
    /// The server's certificate as PEM.
    ///
    /// The authority's root issued the certificate, so a client that trusts the root needs no intermediate certificates.
    package let certificateChainPEM: String
    /// The server's private key, a P-256 key, as PEM.
    package let privateKeyPEM: String
}
