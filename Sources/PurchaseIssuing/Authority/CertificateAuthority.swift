import Crypto
import CryptoExtras
package import PurchaseModel
import SwiftASN1
import X509

/// A store's own authority: a chain that ends in an RSA leaf and signs receipts, and an elliptic one that signs JWS, each of
/// three certificates.
///
/// The certificates have the extensions of Apple's, markers included, and names of their own. Nobody trusts them but verifiers
/// that were given ``rootsPEM``, and none of those for production. There are two forms:
/// - Of one root, ``init(storeNamed:now:receiptKeys:ocspURL:)``: cheap to make, and it keeps the keys of root and intermediates,
///   to certify TLS servers and to sign wrongly where a test wants it.
/// - Of two roots, ``init(name:now:ocspURL:)``: an RSA chain throughout for receipts, as Apple's is. The keys of roots and
///   intermediates sign nothing after the authority is made, so they are not kept; whoever answers about revocation has a key
///   and a certificate of their own.
package struct CertificateAuthority: Sendable {
    let receiptKey: _RSA.Signing.PrivateKey
    let receiptChain: SigningChain
    let receiptResponders: ChainResponders?
    let signedDataKey: P256.Signing.PrivateKey
    let signedDataChain: SigningChain
    let signedDataResponders: ChainResponders?
    let transactionReceipts: TransactionReceiptIdentity?
    /// Signs instead of ``signedDataKey`` where the leaf has a key of another kind.
    let oddSignedDataKey: SigningKey?
    /// The keys that certify, in an authority of one root.
    let store: StoreKeys?

    /// Makes new keys and certificates, good from a year before `now` for twenty years.
    ///
    /// - Parameter ocspURL: Where leaves and intermediates say that one can ask about them; nil for nowhere.
    package init(name: String, now: Timestamp, ocspURL: String? = nil) throws {
        try self.init(name: name, now: now, keys: AuthorityKeys(), defects: [], ocspURL: ocspURL)
    }

    /// Makes certificates for keys that are there, with what a test wants to be wrong about them.
    ///
    /// - Parameters:
    ///   - generation: How the receipts' chain is signed.
    ///   - ocspURL: Where leaves and intermediates say that one can ask about them; nil for nowhere.
    package init(
        name: String, now: Timestamp, keys: AuthorityKeys, defects: AuthorityDefects, generation: ReceiptGeneration = .sha256,
        ocspURL: String? = nil
    ) throws {
        let receiptMaker = CertificateMaker(
            purpose: "Receipt", owner: name, now: now,
            algorithm: generation.algorithm
        )
        let receiptRoot = Certificate.PrivateKey(keys.receiptRoot)
        let receiptIntermediate = Certificate.PrivateKey(keys.receiptIntermediate)
        receiptChain = try SigningChain(
            receiptMaker, keys: (receiptRoot, receiptIntermediate, .init(keys.receiptLeaf.publicKey)),
            stranger: { try .init(_RSA.Signing.PrivateKey(keySize: .bits2048)) }, ocspURL: ocspURL, defects: defects
        )
        receiptKey = defects.contains(.wrongKey) ? keys.receiptRoot : keys.receiptLeaf
        receiptResponders = try ChainResponders(
            receiptMaker, chain: receiptChain, root: receiptRoot, intermediate: receiptIntermediate
        )
        transactionReceipts = try TransactionReceiptIdentity(
            receiptMaker, key: keys.transactionReceiptLeaf, root: receiptChain.root, rootKey: receiptRoot
        )

        let dataMaker = CertificateMaker(purpose: "Signed Data", owner: name, now: now, algorithm: .ecdsaWithSHA384)
        let dataRoot = Certificate.PrivateKey(keys.signedDataRoot)
        let dataIntermediate = Certificate.PrivateKey(keys.signedDataIntermediate)
        let dataLeaf: Certificate.PublicKey
        if defects.contains(.p384SignedDataLeaf) {
            let key = P384.Signing.PrivateKey()
            (dataLeaf, oddSignedDataKey) = (.init(key.publicKey), .p384(key))
        } else if defects.contains(.rsaSignedDataLeaf) {
            (dataLeaf, oddSignedDataKey) = (.init(keys.receiptLeaf.publicKey), .rsa(keys.receiptLeaf))
        } else {
            (dataLeaf, oddSignedDataKey) = (.init(keys.signedDataLeaf.publicKey), nil)
        }
        signedDataChain = try SigningChain(
            dataMaker, keys: (dataRoot, dataIntermediate, dataLeaf), stranger: { .init(P384.Signing.PrivateKey()) }, ocspURL: ocspURL,
            defects: defects
        )
        signedDataKey = defects.contains(.wrongKey) ? P256.Signing.PrivateKey() : keys.signedDataLeaf
        signedDataResponders = try ChainResponders(dataMaker, chain: signedDataChain, root: dataRoot, intermediate: dataIntermediate)
        store = nil
    }

    /// The root certificates as PEM, one or two: what a verifier has to trust.
    package var rootsPEM: String {
        let (receipts, signedData) = (receiptChain.root, signedDataChain.root)
        // Certificates that were made or parsed can always be written.
        return (receipts == signedData ? [receipts] : [receipts, signedData])
            .compactMap { try? $0.serializeAsPEM().pemString + "\n" }.joined()
    }

    /// How the receipts' chain is signed, and receipts with it.
    package var generation: ReceiptGeneration {
        receiptChain.leaf.signatureAlgorithm == ReceiptGeneration.sha1.algorithm ? .sha1 : .sha256
    }

    /// What signs JWS.
    var signedDataSigner: SigningKey { oddSignedDataKey ?? .p256(signedDataKey) }
}
