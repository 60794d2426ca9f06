/// The certificates and the private key of a TLS server.
package struct TLSIdentity: Sendable {
    /// The certificates as PEM, beginning with the server's certificate; a client that trusts the authority's root needs no others.
    package let certificateChainPEM: String
    /// The server's private key as PEM, P-256.
    package let privateKeyPEM: String
}
