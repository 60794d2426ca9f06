package import PurchaseModel

/// Signs transactions, renewal information and notifications as the App Store does: ES256 with three certificates in `x5c`.
package struct SignedDataIssuer: Sendable {
    /// Creates an issuer.
    package init(authority: CertificateAuthority) { fatalError("stub") }

    /// Signs a payload.
    package func sign<Payload: Encodable>(_ payload: Payload) throws -> Signed<Payload> { fatalError("stub") }
}
