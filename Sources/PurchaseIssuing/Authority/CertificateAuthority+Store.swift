import Crypto
import CryptoExtras
package import PurchaseModel
import X509

extension CertificateAuthority {
    /// Creates the certificate authority of a local store, with one root for everything that the store signs.
    ///
    /// The root has a P-384 key. It issues the intermediate for signed data (P-384, with a P-256 leaf), the intermediate for receipts
    /// (RSA-2048, with an RSA-2048 leaf), the certificate of the signer of transaction receipts (RSA-1024), and the certificates of OCSP
    /// responders and TLS servers. The certificates are valid for twenty years, beginning a year before `now`. The initializer takes a few
    /// milliseconds, because it generates no RSA keys.
    ///
    /// - Parameters:
    ///   - name: The store's name, of which the names of the certificates contain the first 64 characters.
    ///   - now: The store's time.
    ///   - receiptKeys: The RSA keys for receipts. Stores can share ``ReceiptKeys/shared``, or have separate keys.
    ///   - ocspURL: The URL of the OCSP responder, which the leaves and intermediates state; nil for certificates without a URL.
    package init(storeNamed name: String, now: Timestamp, receiptKeys: ReceiptKeys, ocspURL: String? = nil) throws {
        let keys = StoreKeys(
            name: String(name.prefix(64)), creationDate: now, ocspURL: ocspURL, root: P384.Signing.PrivateKey.generate(),
            signedDataIntermediate: P384.Signing.PrivateKey.generate(), receipts: receiptKeys
        )
        let root = try keys.builder(.store).root(keys.rootIssuer)
        try self.init(keys, root: root, signedDataKey: P256.Signing.PrivateKey())
    }

    /// Returns an authority with the same root and keys, and with new intermediates and leaves that state another URL of the OCSP
    /// responder.
    ///
    /// A store whose address has changed uses this method. Signatures of the previous authority remain valid.
    ///
    /// - Parameter ocspURL: The URL of the OCSP responder; nil for certificates without a URL.
    /// - Throws: ``IssuingError/missingKey`` for an authority with two roots.
    package func replacingOCSPURL(with ocspURL: String?) throws -> CertificateAuthority {
        guard let store else { throw IssuingError.missingKey }
        let keys = StoreKeys(
            name: store.name, creationDate: store.creationDate, ocspURL: ocspURL, root: store.root,
            signedDataIntermediate: store.signedDataIntermediate, receipts: store.receipts
        )
        return try CertificateAuthority(keys, root: signedDataChain.root, signedDataKey: signedDataKey)
    }

    /// Creates an authority with one root from its keys and certificates.
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

    /// Creates an authority with one root from its keys and the root certificate, and issues all intermediates and leaves.
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
