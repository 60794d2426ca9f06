/// Signs app receipts as the App Store does.
package struct ReceiptIssuer: Sendable {
    /// Creates an issuer.
    package init(authority: CertificateAuthority) { fatalError("stub") }

    /// The receipt file: a PKCS#7 container in DER with three certificates.
    package func issue(_ content: ReceiptContent) throws -> [UInt8] { fatalError("stub") }
}
