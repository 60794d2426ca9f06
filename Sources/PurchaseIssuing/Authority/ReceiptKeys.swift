package import CryptoExtras

/// The RSA keys of a store's authority: they sign receipts, as Apple's do.
///
/// Making them takes hundreds of milliseconds. Stores may have them in common, since each store's own root says whose receipts
/// they sign.
package struct ReceiptKeys: Sendable {
    /// Certifies the leaf, 2048 bits.
    package let intermediate: _RSA.Signing.PrivateKey
    /// Signs receipts, 2048 bits.
    package let leaf: _RSA.Signing.PrivateKey
    /// Signs receipts of single transactions, which have always been signed with 1024 bits.
    package let transactionReceiptLeaf: _RSA.Signing.PrivateKey

    /// Makes new keys.
    package init() throws {
        try self.init(
            intermediate: _RSA.Signing.PrivateKey(keySize: .bits2048), leaf: _RSA.Signing.PrivateKey(keySize: .bits2048),
            transactionReceiptLeaf: _RSA.Signing.PrivateKey(unsafeKeySize: _RSA.Signing.KeySize(bitCount: 1024))
        )
    }

    /// Takes keys that are there.
    init(
        intermediate: _RSA.Signing.PrivateKey, leaf: _RSA.Signing.PrivateKey, transactionReceiptLeaf: _RSA.Signing.PrivateKey
    ) {
        self.intermediate = intermediate
        self.leaf = leaf
        self.transactionReceiptLeaf = transactionReceiptLeaf
    }

    /// The set that all stores of this process have in common which live in memory; made at first use.
    package static var shared: ReceiptKeys {
        get throws { try made.get() }
    }

    private static let made = Result { try ReceiptKeys() }
}
