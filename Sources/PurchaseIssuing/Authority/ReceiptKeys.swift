package import CryptoExtras

/// The RSA keys of a store's authority, which sign receipts, as Apple's do.
///
/// Generating the keys takes hundreds of milliseconds. Several stores can share the keys, because the root of each store identifies
/// the store's receipts.
package struct ReceiptKeys: Sendable {
    /// Certifies the leaf, 2048 bits.
    package let intermediate: _RSA.Signing.PrivateKey
    /// Signs receipts, 2048 bits.
    package let leaf: _RSA.Signing.PrivateKey
    /// Signs receipts of single transactions, which have always used 1024 bits.
    package let transactionReceiptLeaf: _RSA.Signing.PrivateKey

    /// Generates keys.
    package init() throws {
        try self.init(
            intermediate: _RSA.Signing.PrivateKey(keySize: .bits2048), leaf: _RSA.Signing.PrivateKey(keySize: .bits2048),
            transactionReceiptLeaf: _RSA.Signing.PrivateKey(unsafeKeySize: _RSA.Signing.KeySize(bitCount: 1024))
        )
    }

    /// Creates a set of existing keys.
    init(
        intermediate: _RSA.Signing.PrivateKey, leaf: _RSA.Signing.PrivateKey, transactionReceiptLeaf: _RSA.Signing.PrivateKey
    ) {
        self.intermediate = intermediate
        self.leaf = leaf
        self.transactionReceiptLeaf = transactionReceiptLeaf
    }

    /// The set that all in-memory stores of this process share; generated at first use.
    package static var shared: ReceiptKeys {
        get throws { try cached.get() }
    }

    private static let cached = Result { try ReceiptKeys() }
}
