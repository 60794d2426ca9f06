import X509

/// Who certifies keys: its name and its own key.
struct CertificateIssuer: Sendable {
    let name: DistinguishedName
    let key: Certificate.PrivateKey

    /// What certificates call its key.
    var keyID: SubjectKeyIdentifier { SubjectKeyIdentifier(hash: key.publicKey) }
}
