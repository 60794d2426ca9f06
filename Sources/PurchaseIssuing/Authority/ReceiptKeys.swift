package import CryptoExtras

/// The RSA keys with which a certificate authority with one root signs receipts.
///
/// Generating the keys takes hundreds of milliseconds. Several stores can share the keys, because each store has a root of its own, and a
/// verifier that trusts the root of one store refuses receipts of another store.
package struct ReceiptKeys: Sendable {
    /// The key of the intermediate, which issues the leaf certificate; 2048 bits.
    package let intermediate: _RSA.Signing.PrivateKey
    /// The key of the leaf, which signs receipts; 2048 bits.
    package let leaf: _RSA.Signing.PrivateKey
    /// The key that signs receipts of single transactions, which has 1024 bits like the key of Apple's receipts with signature version 2.
    package let transactionReceiptLeaf: _RSA.Signing.PrivateKey

    /// Generates new keys.
    package init() throws {
        try self.init(
            intermediate: _RSA.Signing.PrivateKey(keySize: .bits2048), leaf: _RSA.Signing.PrivateKey(keySize: .bits2048),
            transactionReceiptLeaf: _RSA.Signing.PrivateKey(unsafeKeySize: _RSA.Signing.KeySize(bitCount: 1024))
        )
    }

    /// Creates a set from existing keys.
    init(
        intermediate: _RSA.Signing.PrivateKey, leaf: _RSA.Signing.PrivateKey, transactionReceiptLeaf: _RSA.Signing.PrivateKey
    ) {
        self.intermediate = intermediate
        self.leaf = leaf
        self.transactionReceiptLeaf = transactionReceiptLeaf
    }

    /// The keys that all in-memory stores of the process share, which are generated at the first use.
    package static var shared: ReceiptKeys {
        get throws { try cached.get() }
    }

    private static let cached = Result { try ReceiptKeys() }
}
