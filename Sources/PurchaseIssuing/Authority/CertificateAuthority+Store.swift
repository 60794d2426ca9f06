import Crypto
import CryptoExtras
package import PurchaseModel
import X509

extension CertificateAuthority {
    /// Creates the authority of one store, with one root for all of the store's signatures.
    ///
    /// The root's key is P-384. The root certifies the intermediate of the signed data (P-384, with a P-256 leaf), the intermediate of the
    /// receipts (RSA-2048, with an RSA-2048 leaf), the signer of single transactions' receipts (RSA-1024), OCSP responders, and TLS
    /// servers. Certificates are valid from a year before `now` for twenty years. The cost is a few milliseconds, because only the
    /// elliptic-curve keys are generated.
    ///
    /// - Parameters:
    ///   - name: The store's name, for the names of the certificates; at most its first 64 characters are used.
    ///   - now: The store's time.
    ///   - receiptKeys: The keys for receipts; ``ReceiptKeys/shared`` unless the store needs separate keys.
    ///   - ocspURL: The OCSP responder's address in leaves and intermediates; nil for no address.
    package init(storeNamed name: String, now: Timestamp, receiptKeys: ReceiptKeys, ocspURL: String? = nil) throws {
        let keys = StoreKeys(
            name: String(name.prefix(64)), creationDate: now, ocspURL: ocspURL, root: P384.Signing.PrivateKey.generate(),
            signedDataIntermediate: P384.Signing.PrivateKey.generate(), receipts: receiptKeys
        )
        let root = try keys.builder(.store).root(keys.rootIssuer)
        try self.init(keys, root: root, signedDataKey: P256.Signing.PrivateKey())
    }

    /// An authority with the same root and keys, and with new intermediates and leaves that name `ocspURL` as the OCSP responder's
    /// address.
    ///
    /// It serves a store whose address has changed. Earlier signatures stay valid.
    ///
    /// - Throws: ``IssuingError/missingKey`` for an authority with two roots.
    package func replacingOCSPURL(with ocspURL: String?) throws -> CertificateAuthority {
        guard let store else { throw IssuingError.missingKey }
        let keys = StoreKeys(
            name: store.name, creationDate: store.creationDate, ocspURL: ocspURL, root: store.root,
            signedDataIntermediate: store.signedDataIntermediate, receipts: store.receipts
        )
        return try CertificateAuthority(keys, root: signedDataChain.root, signedDataKey: signedDataKey)
    }

    /// Creates an authority from its parts.
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
        (receiptResponders, signedDataResponders, nonP256SignedDataKey) = (nil, nil, nil)
    }

    /// Certifies all intermediates and leaves with the root.
    private init(_ keys: StoreKeys, root: Certificate, signedDataKey: P256.Signing.PrivateKey) throws {
        let rootIssuer = try keys.rootIssuer
        func chain(_ leaf: Certificate, _ intermediate: CertificateIssuer, _ builder: CertificateBuilder) throws -> SigningChain {
            let certificate = try builder.intermediate(
                for: intermediate.key.publicKey, by: rootIssuer, defects: [], ocspURL: keys.ocspURL
            )
            return SigningChain(leaf: leaf, intermediate: certificate, root: root)
        }
        let (dataIssuer, receiptIssuer) = try (keys.signedDataIssuer, keys.receiptIssuer)
        self.init(
            keys, signedDataKey: signedDataKey,
            signedData: try chain(
                keys.builder(.signedData).leaf(
                    for: .init(signedDataKey.publicKey), by: dataIssuer, defects: [], ocspURL: keys.ocspURL
                ),
                dataIssuer, keys.builder(.signedData)
            ),
            receipts: try chain(
                keys.receiptLeafBuilder().leaf(
                    for: .init(keys.receipts.leaf.publicKey), by: receiptIssuer, defects: [], ocspURL: keys.ocspURL
                ),
                receiptIssuer, keys.builder(.receipts)
            ),
            transactionReceipts: try TransactionReceiptIdentity(
                keys.builder(.receipts), key: keys.receipts.transactionReceiptLeaf, root: root, rootKey: rootIssuer.key,
                serialNumber: .derived(from: root.serialNumber, for: .transactionReceipts)
            )
        )
    }
}
