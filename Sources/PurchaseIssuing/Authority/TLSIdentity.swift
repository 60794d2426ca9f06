/// What a TLS server needs.
package struct TLSIdentity: Sendable {
    /// Its certificates as PEM, its own first; whoever trusts the authority's root needs no more.
    package let certificateChainPEM: String
    /// Its private key as PEM, P-256.
    package let privateKeyPEM: String
}
