package import Crypto
package import CryptoExtras

/// The private keys of a certificate authority with two roots.
///
/// Generating the RSA keys takes up to a second, so tests create several authorities with the same keys.
package struct AuthorityKeys: Sendable {
    package let receiptRoot: _RSA.Signing.PrivateKey
    package let receiptIntermediate: _RSA.Signing.PrivateKey
    package let receiptLeaf: _RSA.Signing.PrivateKey
    /// The key that signs receipts of single transactions, which has 1024 bits like the key of Apple's receipts with signature version 2.
    package let transactionReceiptLeaf: _RSA.Signing.PrivateKey
    package let signedDataRoot = P384.Signing.PrivateKey()
    package let signedDataIntermediate = P384.Signing.PrivateKey()
    package let signedDataLeaf = P256.Signing.PrivateKey()

    /// Generates keys of the kinds that Apple uses: RSA keys for receipts, and elliptic-curve keys for signed data.
    package init() throws {
        receiptRoot = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        receiptIntermediate = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        receiptLeaf = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        transactionReceiptLeaf = try _RSA.Signing.PrivateKey(unsafeKeySize: _RSA.Signing.KeySize(bitCount: 1024))
    }
}
