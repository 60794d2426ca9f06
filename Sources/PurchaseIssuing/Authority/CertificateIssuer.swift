import X509

/// A certificate issuer: a name and a key.
struct CertificateIssuer: Sendable {
    let name: DistinguishedName
    let key: Certificate.PrivateKey

    /// The issuer's subject key identifier in certificates.
    var keyID: SubjectKeyIdentifier { SubjectKeyIdentifier(hash: key.publicKey) }
}
