import Crypto
import CryptoExtras
package import PurchaseModel
import SwiftASN1
import X509

/// A store's own authority: an RSA chain that signs receipts and an elliptic one that signs JWS, each of three certificates.
///
/// The certificates have the extensions of Apple's, markers included, and names of their own. Nobody trusts them but verifiers
/// that were given ``rootsPEM``, and none of those for production. The keys of roots and intermediates sign nothing after the
/// authority is made, so they are not kept; whoever answers about revocation has a key and a certificate of their own.
package struct CertificateAuthority: Sendable {
    let receiptKey: _RSA.Signing.PrivateKey
    let receiptChain: SigningChain
    let receiptResponders: ChainResponders?
    let signedDataKey: P256.Signing.PrivateKey
    let signedDataChain: SigningChain
    let signedDataResponders: ChainResponders?
    let transactionReceipts: TransactionReceiptIdentity?
    /// Signs instead of ``signedDataKey`` where the leaf has a key of another kind.
    private let oddSignedDataKey: SigningKey?

    /// Makes new keys and certificates, good from a year before `now` for twenty years.
    ///
    /// - Parameter ocspURL: Where leaves and intermediates say that one can ask about them; nil for nowhere.
    package init(name: String, now: Timestamp, ocspURL: String? = nil) throws {
        try self.init(name: name, now: now, keys: AuthorityKeys(), flaws: [], ocspURL: ocspURL)
    }

    /// Makes certificates for keys that are there, with what a test wants to be wrong about them.
    ///
    /// - Parameters:
    ///   - generation: How the receipts' chain is signed.
    ///   - ocspURL: Where leaves and intermediates say that one can ask about them; nil for nowhere.
    package init(
        name: String, now: Timestamp, keys: AuthorityKeys, flaws: AuthorityFlaws, generation: ReceiptGeneration = .sha256,
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
            stranger: { try .init(_RSA.Signing.PrivateKey(keySize: .bits2048)) }, ocspURL: ocspURL, flaws: flaws
        )
        receiptKey = flaws.contains(.wrongKey) ? keys.receiptRoot : keys.receiptLeaf
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
        if flaws.contains(.p384SignedDataLeaf) {
            let key = P384.Signing.PrivateKey()
            (dataLeaf, oddSignedDataKey) = (.init(key.publicKey), .p384(key))
        } else if flaws.contains(.rsaSignedDataLeaf) {
            (dataLeaf, oddSignedDataKey) = (.init(keys.receiptLeaf.publicKey), .rsa(keys.receiptLeaf))
        } else {
            (dataLeaf, oddSignedDataKey) = (.init(keys.signedDataLeaf.publicKey), nil)
        }
        signedDataChain = try SigningChain(
            dataMaker, keys: (dataRoot, dataIntermediate, dataLeaf), stranger: { .init(P384.Signing.PrivateKey()) }, ocspURL: ocspURL,
            flaws: flaws
        )
        signedDataKey = flaws.contains(.wrongKey) ? P256.Signing.PrivateKey() : keys.signedDataLeaf
        signedDataResponders = try ChainResponders(dataMaker, chain: signedDataChain, root: dataRoot, intermediate: dataIntermediate)
    }

    /// Everything needed to go on with the same keys: PEM of private keys and certificates, for the store's own database.
    ///
    /// For receipts and then for signed data: the signing key, leaf, intermediate and root. After these eight come key and
    /// certificate of the responders for the receipts' leaf and intermediate, of those for the signed data's, and of what signs
    /// receipts of single transactions; archives of earlier versions end after eight.
    package var archive: String {
        get throws {
            let receipts = try [receiptKey.pemRepresentation] + receiptChain.certificates.map { try $0.serializeAsPEM().pemString }
            let signedData = try [signedDataKey.pemRepresentation] + signedDataChain.certificates.map { try $0.serializeAsPEM().pemString }
            let responders = try (receiptResponders?.archive ?? []) + (signedDataResponders?.archive ?? [])
            return (receipts + signedData + responders + (transactionReceipts?.archive ?? [])).joined(separator: "\n") + "\n"
        }
    }

    /// Goes on with the keys of an archive.
    ///
    /// One of eight parts makes an authority without responders and transaction receipts.
    ///
    /// - Throws: ``IssuingError/notAnArchive``.
    package init(archive: String) throws {
        guard let blocks = try? PEMDocument.parseMultiple(pemString: archive), [8, 18].contains(blocks.count) else {
            throw IssuingError.notAnArchive
        }
        do {
            receiptKey = try _RSA.Signing.PrivateKey(pemRepresentation: blocks[0].pemString)
            receiptChain = try SigningChain(leaf: blocks[1], intermediate: blocks[2], root: blocks[3])
            signedDataKey = try P256.Signing.PrivateKey(pemRepresentation: blocks[4].pemString)
            signedDataChain = try SigningChain(leaf: blocks[5], intermediate: blocks[6], root: blocks[7])
            let isWhole = blocks.count == 18
            receiptResponders = isWhole ? try ChainResponders(archive: blocks[8..<12]) : nil
            signedDataResponders = isWhole ? try ChainResponders(archive: blocks[12..<16]) : nil
            transactionReceipts = isWhole ? try TransactionReceiptIdentity(key: blocks[16], certificate: blocks[17]) : nil
            oddSignedDataKey = nil
        } catch {
            throw IssuingError.notAnArchive
        }
    }

    /// Both root certificates as PEM: what a verifier has to trust.
    package var rootsPEM: String {
        // Certificates that were made or parsed can always be written.
        [receiptChain.root, signedDataChain.root].compactMap { try? $0.serializeAsPEM().pemString + "\n" }.joined()
    }

    /// How the receipts' chain is signed, and receipts with it.
    package var generation: ReceiptGeneration {
        receiptChain.leaf.signatureAlgorithm == ReceiptGeneration.sha1.algorithm ? .sha1 : .sha256
    }

    /// What signs JWS.
    var signedDataSigner: SigningKey { oddSignedDataKey ?? .p256(signedDataKey) }
}
