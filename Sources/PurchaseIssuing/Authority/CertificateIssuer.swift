import X509

/// The name and the private key with which a root or an intermediate issues certificates.
struct CertificateIssuer: Sendable {
    let name: DistinguishedName
    let key: Certificate.PrivateKey

    /// The subject key identifier of the issuer, which issued certificates state as their authority key identifier.
    var keyID: SubjectKeyIdentifier { SubjectKeyIdentifier(hash: key.publicKey) }
}
