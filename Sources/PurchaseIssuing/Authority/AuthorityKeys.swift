package import Crypto
package import CryptoExtras

/// The keys of an authority.
///
/// Generating the RSA keys takes up to a second, so tests use one set for many authorities.
package struct AuthorityKeys: Sendable {
    package let receiptRoot: _RSA.Signing.PrivateKey
    package let receiptIntermediate: _RSA.Signing.PrivateKey
    package let receiptLeaf: _RSA.Signing.PrivateKey
    /// Signs receipts of single transactions, which have always used 1024 bits.
    package let transactionReceiptLeaf: _RSA.Signing.PrivateKey
    package let signedDataRoot = P384.Signing.PrivateKey()
    package let signedDataIntermediate = P384.Signing.PrivateKey()
    package let signedDataLeaf = P256.Signing.PrivateKey()

    /// Generates keys of the kinds that Apple uses: RSA-2048 for receipts, P-384 with a P-256 leaf for signed data.
    package init() throws {
        receiptRoot = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        receiptIntermediate = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        receiptLeaf = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        transactionReceiptLeaf = try _RSA.Signing.PrivateKey(unsafeKeySize: _RSA.Signing.KeySize(bitCount: 1024))
    }
}
