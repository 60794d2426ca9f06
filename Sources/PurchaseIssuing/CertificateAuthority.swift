package import PurchaseModel

/// A store's own authority: an RSA chain that signs receipts and an elliptic one that signs JWS, each of three certificates.
package struct CertificateAuthority: Sendable {
    /// Makes new keys and certificates, good from a year before `now` for twenty years.
    package init(name: String, now: Timestamp) throws { fatalError("stub") }

    /// Everything needed to go on with the same keys: PEM of private keys and certificates, for the store's own database.
    package var archive: String { get throws { fatalError("stub") } }

    /// Goes on with the keys of an archive.
    package init(archive: String) throws { fatalError("stub") }

    /// Both root certificates as PEM: what a verifier has to trust.
    package var rootsPEM: String { fatalError("stub") }
}
