import Crypto
import CryptoExtras
package import PurchaseModel
import SwiftASN1
import X509

/// The certificate authority of a store: a chain with an RSA leaf that signs receipts, and a chain with an elliptic-curve leaf that
/// signs JWS.
///
/// Each chain has three certificates. The certificates have the extensions of Apple's certificates, including the markers, and
/// different names. Only verifiers that are configured with ``rootsPEM`` trust them, and never for production. There are two forms:
/// - With one root, ``init(storeNamed:now:receiptKeys:ocspURL:)``: this form is cheap to create. It keeps the keys of the root and the
///   intermediates, to certify TLS servers and to sign with faults for tests.
/// - With two roots, ``init(name:now:ocspURL:)``: the receipts' chain uses RSA throughout, like Apple's. The keys of roots and
///   intermediates sign nothing after the authority is created, so they are not kept. The OCSP responders have separate keys and
///   certificates.
package struct CertificateAuthority: Sendable {
    let receiptKey: _RSA.Signing.PrivateKey
    let receiptChain: SigningChain
    let receiptResponders: ChainResponders?
    let signedDataKey: P256.Signing.PrivateKey
    let signedDataChain: SigningChain
    let signedDataResponders: ChainResponders?
    let transactionReceipts: TransactionReceiptIdentity?
    /// The signing key in place of ``signedDataKey``, for a leaf with a key of another kind.
    let nonP256SignedDataKey: SigningKey?
    /// The keys that certify, in an authority with one root.
    let store: StoreKeys?

    /// Generates keys and certificates, valid from a year before `now` for twenty years.
    ///
    /// - Parameter ocspURL: The OCSP responder's address in leaves and intermediates; nil for no address.
    package init(name: String, now: Timestamp, ocspURL: String? = nil) throws {
        try self.init(name: name, now: now, keys: AuthorityKeys(), defects: [], ocspURL: ocspURL)
    }

    /// Creates certificates for existing keys, with the defects that a test requests.
    ///
    /// - Parameters:
    ///   - generation: The generation of the receipts' chain, which determines its signatures.
    ///   - ocspURL: The OCSP responder's address in leaves and intermediates; nil for no address.
    package init(
        name: String, now: Timestamp, keys: AuthorityKeys, defects: AuthorityDefects, generation: ReceiptGeneration = .sha256,
        ocspURL: String? = nil
    ) throws {
        let receiptBuilder = CertificateBuilder(
            purpose: "Receipt", owner: name, now: now,
            algorithm: generation.algorithm
        )
        let receiptRoot = Certificate.PrivateKey(keys.receiptRoot)
        let receiptIntermediate = Certificate.PrivateKey(keys.receiptIntermediate)
        receiptChain = try SigningChain(
            receiptBuilder, keys: (receiptRoot, receiptIntermediate, .init(keys.receiptLeaf.publicKey)),
            unknownIssuer: { try .init(_RSA.Signing.PrivateKey(keySize: .bits2048)) }, ocspURL: ocspURL, defects: defects
        )
        receiptKey = defects.contains(.wrongKey) ? keys.receiptRoot : keys.receiptLeaf
        receiptResponders = try ChainResponders(
            receiptBuilder, chain: receiptChain, root: receiptRoot, intermediate: receiptIntermediate
        )
        transactionReceipts = try TransactionReceiptIdentity(
            receiptBuilder, key: keys.transactionReceiptLeaf, root: receiptChain.root, rootKey: receiptRoot
        )

        let signedDataBuilder = CertificateBuilder(purpose: "Signed Data", owner: name, now: now, algorithm: .ecdsaWithSHA384)
        let dataRoot = Certificate.PrivateKey(keys.signedDataRoot)
        let dataIntermediate = Certificate.PrivateKey(keys.signedDataIntermediate)
        let dataLeaf: Certificate.PublicKey
        if defects.contains(.p384SignedDataLeaf) {
            let key = P384.Signing.PrivateKey()
            (dataLeaf, nonP256SignedDataKey) = (.init(key.publicKey), .p384(key))
        } else if defects.contains(.rsaSignedDataLeaf) {
            (dataLeaf, nonP256SignedDataKey) = (.init(keys.receiptLeaf.publicKey), .rsa(keys.receiptLeaf))
        } else {
            (dataLeaf, nonP256SignedDataKey) = (.init(keys.signedDataLeaf.publicKey), nil)
        }
        signedDataChain = try SigningChain(
            signedDataBuilder, keys: (dataRoot, dataIntermediate, dataLeaf), unknownIssuer: { .init(P384.Signing.PrivateKey()) },
            ocspURL: ocspURL,
            defects: defects
        )
        signedDataKey = defects.contains(.wrongKey) ? P256.Signing.PrivateKey() : keys.signedDataLeaf
        signedDataResponders = try ChainResponders(
            signedDataBuilder, chain: signedDataChain, root: dataRoot, intermediate: dataIntermediate)
        store = nil
    }

    /// The one or two root certificates as PEM, which a verifier has to trust.
    package var rootsPEM: String {
        let (receipts, signedData) = (receiptChain.root, signedDataChain.root)
        // Encoding a certificate that was created or parsed never fails.
        return (receipts == signedData ? [receipts] : [receipts, signedData])
            .compactMap { try? $0.serializeAsPEM().pemString + "\n" }.joined()
    }

    /// The generation of the receipts' chain and of the receipts.
    package var generation: ReceiptGeneration {
        receiptChain.leaf.signatureAlgorithm == ReceiptGeneration.sha1.algorithm ? .sha1 : .sha256
    }

    /// The key that signs JWS.
    var signedDataSigner: SigningKey { nonP256SignedDataKey ?? .p256(signedDataKey) }
}
