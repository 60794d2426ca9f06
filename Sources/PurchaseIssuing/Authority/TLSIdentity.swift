/// The certificate and the private key of a TLS server, which a certificate authority issued.
package struct TLSIdentity: Sendable {
    /// The server's certificate as PEM.
    ///
    /// The authority's root issued the certificate, so a client that trusts the root needs no intermediate certificates.
    package let certificateChainPEM: String
    /// The server's private key, a P-256 key, as PEM.
    package let privateKeyPEM: String
}
