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
    ///   - receiptKeys: The keys for receipts; ``ReceiptKeys/shared`` unless the store needs keys of its own.
    ///   - ocspURL: The OCSP responder's address in leaves and intermediates; nil for no address.
    package init(storeNamed name: String, now: Timestamp, receiptKeys: ReceiptKeys, ocspURL: String? = nil) throws {
        let keys = StoreKeys(
            name: String(name.prefix(64)), made: now, ocspURL: ocspURL, root: P384.Signing.PrivateKey.fresh(),
            signedDataIntermediate: P384.Signing.PrivateKey.fresh(), receipts: receiptKeys
        )
        let root = try keys.maker(.store).root(keys.rootIssuer)
        try self.init(keys, root: root, signedDataKey: P256.Signing.PrivateKey())
    }

    /// An authority with the same root and keys, and with new intermediates and leaves that name `ocspURL` as the OCSP responder's
    /// address.
    ///
    /// It serves a store whose address has changed. Earlier signatures stay valid.
    ///
    /// - Throws: ``IssuingError/noKey`` for an authority with two roots.
    package func asking(at ocspURL: String?) throws -> CertificateAuthority {
        guard let store else { throw IssuingError.noKey }
        let keys = StoreKeys(
            name: store.name, made: store.made, ocspURL: ocspURL, root: store.root,
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
        (receiptResponders, signedDataResponders, oddSignedDataKey) = (nil, nil, nil)
    }

    /// Certifies all intermediates and leaves with the root.
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
