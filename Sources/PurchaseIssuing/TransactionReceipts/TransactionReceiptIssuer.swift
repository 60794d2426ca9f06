package import PurchaseModel

/// Issues signed receipts of single transactions, as the App Store did for iOS 6 and earlier (`SKPaymentTransaction.transactionReceipt`).
package struct TransactionReceiptIssuer: Sendable {
    private let identity: TransactionReceiptIdentity

    /// Creates an issuer of transaction receipts that the key of an authority signs.
    ///
    /// - Throws: ``IssuingError/missingKey`` for an authority that was restored from an archive of an earlier version, which lacks the key
    ///   for transaction receipts.
    package init(authority: CertificateAuthority) throws(IssuingError) {
        guard let identity = authority.transactionReceipts else { throw .missingKey }
        self.identity = identity
    }

    /// Issues a transaction receipt with the given content, and returns the bytes of the receipt.
    package func issue(_ content: TransactionReceiptContent) throws -> [UInt8] {
        try receipt(for: content.purchaseInfo, in: AppEnvironment(rawValue: content.transaction.environment) ?? .sandbox).encoded
    }

    /// Signs the property list of a transaction receipt, and returns the receipt before encoding, so that tests can change parts of it.
    ///
    /// The signature is RSA-1024 with SHA-1, and covers the version byte and the property list.
    package func receipt(for purchaseInfo: [UInt8], in environment: AppEnvironment) throws -> TransactionReceipt {
        let version: UInt8 = 2
        return TransactionReceipt(
            purchaseInfo: purchaseInfo, version: version, signature: try sign([version] + purchaseInfo),
            certificate: identity.certificate, environment: environment == .production ? nil : environment.rawValue
        )
    }

    /// Signs any bytes with the key for transaction receipts, and returns the signature.
    package func sign(_ bytes: [UInt8], digest: ReceiptDigest = .sha1) throws -> [UInt8] {
        try digest.signature(of: bytes, by: identity.key)
    }
}
