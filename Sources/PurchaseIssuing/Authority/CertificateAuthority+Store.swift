import Crypto
import CryptoExtras
package import PurchaseModel
import X509

extension CertificateAuthority {
    /// Creates the authority of one store, with one root for everything that the store signs.
    ///
    /// The root is of P-384. It certifies the intermediate of the signed data (P-384, with a leaf of P-256), the intermediate of
    /// the receipts (RSA-2048, with a leaf of the same kind), the signer of single transactions' receipts (RSA-1024), who answers
    /// about revocation, and TLS servers. Certificates are good from a year before `now` for twenty years. Costs a few
    /// milliseconds: only the elliptic keys are new.
    ///
    /// - Parameters:
    ///   - name: The store's, for the names of the certificates; at most 64 characters of it.
    ///   - now: The store's time.
    ///   - receiptKeys: What signs receipts; ``ReceiptKeys/shared`` unless keys are to be the store's own.
    ///   - ocspURL: Where leaves and intermediates say that one can ask about them; nil for nowhere.
    package init(storeNamed name: String, now: Timestamp, receiptKeys: ReceiptKeys, ocspURL: String? = nil) throws {
        let keys = StoreKeys(
            name: String(name.prefix(64)), made: now, ocspURL: ocspURL, root: P384.Signing.PrivateKey.fresh(),
            signedDataIntermediate: P384.Signing.PrivateKey.fresh(), receipts: receiptKeys
        )
        let root = try keys.maker(.store).root(keys.rootIssuer)
        try self.init(keys, root: root, signedDataKey: P256.Signing.PrivateKey())
    }

    /// The same root and keys with new intermediates and leaves, which say that one can ask about them at `ocspURL`.
    ///
    /// For a store whose address is another than it was. What was signed before is good as ever.
    ///
    /// - Throws: ``IssuingError/noKey`` for an authority that is not of one root.
    package func asking(at ocspURL: String?) throws -> CertificateAuthority {
        guard let store else { throw IssuingError.noKey }
        let keys = StoreKeys(
            name: store.name, made: store.made, ocspURL: ocspURL, root: store.root,
            signedDataIntermediate: store.signedDataIntermediate, receipts: store.receipts
        )
        return try CertificateAuthority(keys, root: signedDataChain.root, signedDataKey: signedDataKey)
    }

    /// Puts together what belongs together.
    init(
        _ keys: StoreKeys, signedDataKey: P256.Signing.PrivateKey, signedData: SigningChain, receipts: SigningChain,
        transactionReceipts: TransactionReceiptIdentity
    ) {
        store = keys
        self.signedDataKey = signedDataKey
        signedDataChain = signedData
        receiptKey = keys.receipts.leaf
        receiptChain = receipts
        self.transactionReceipts = transactionReceipts
        (receiptResponders, signedDataResponders, oddSignedDataKey) = (nil, nil, nil)
    }

    /// Has the root certify everything below it.
    private init(_ keys: StoreKeys, root: Certificate, signedDataKey: P256.Signing.PrivateKey) throws {
        let rootIssuer = try keys.rootIssuer
        func chain(_ leaf: Certificate, _ intermediate: CertificateIssuer, _ maker: CertificateMaker) throws -> SigningChain {
            let certificate = try maker.intermediate(
                for: intermediate.key.publicKey, by: rootIssuer, defects: [], ocspURL: keys.ocspURL
            )
            return SigningChain(leaf: leaf, intermediate: certificate, root: root)
        }
        let (dataIssuer, receiptIssuer) = try (keys.signedDataIssuer, keys.receiptIssuer)
        self.init(
            keys, signedDataKey: signedDataKey,
            signedData: try chain(
                keys.maker(.signedData).leaf(
                    for: .init(signedDataKey.publicKey), by: dataIssuer, defects: [], ocspURL: keys.ocspURL
                ),
                dataIssuer, keys.maker(.signedData)
            ),
            receipts: try chain(
                keys.receiptLeafMaker().leaf(
                    for: .init(keys.receipts.leaf.publicKey), by: receiptIssuer, defects: [], ocspURL: keys.ocspURL
                ),
                receiptIssuer, keys.maker(.receipts)
            ),
            transactionReceipts: try TransactionReceiptIdentity(
                keys.maker(.receipts), key: keys.receipts.transactionReceiptLeaf, root: root, rootKey: rootIssuer.key,
                serialNumber: .derived(from: root.serialNumber, for: .transactionReceipts)
            )
        )
    }
}
