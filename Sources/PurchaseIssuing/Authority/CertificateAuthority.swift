import Crypto
import CryptoExtras
package import PurchaseModel
import SwiftASN1
import X509

/// The certificate authority of a local store: the keys and certificates with which the store signs receipts and JWS.
///
/// An authority has a certificate chain with an RSA leaf for receipts, and a chain with an elliptic-curve leaf for JWS. Each chain has
/// three certificates. The certificates have other names than Apple's certificates and the same extensions, including Apple's marker
/// extensions. Only verifiers that are configured with ``rootsPEM`` trust the certificates. There are two kinds of authority:
/// - An authority with one root, ``init(storeNamed:now:receiptKeys:ocspURL:)``, is created in a few milliseconds. It keeps the keys of the
///   root and of the intermediates, so that it can issue certificates for TLS servers and for signatures with faults.
/// - An authority with two roots, ``init(name:now:ocspURL:)``, has RSA keys in the whole chain for receipts, as Apple has. It does not keep
///   the keys of the roots and the intermediates. Its OCSP responders have separate keys and certificates.
package struct CertificateAuthority: Sendable {
    let receiptKey: _RSA.Signing.PrivateKey
    let receiptChain: SigningChain
    let receiptResponders: ChainResponders?
    let signedDataKey: P256.Signing.PrivateKey
    let signedDataChain: SigningChain
    let signedDataResponders: ChainResponders?
    let transactionReceipts: TransactionReceiptIdentity?
    /// The key that signs JWS instead of ``signedDataKey``; nil unless the leaf has a defect that replaces its P-256 key.
    let nonP256SignedDataKey: SigningKey?
    /// The keys of the root and the intermediates; nil for an authority with two roots.
    let store: StoreKeys?

    /// Creates an authority with two roots: generates its keys, and issues its certificates.
    ///
    /// The certificates are valid for twenty years, beginning a year before `now`.
    ///
    /// - Parameters:
    ///   - name: The name of the authority's owner, which the names of the certificates contain.
    ///   - now: The current time.
    ///   - ocspURL: The URL of the OCSP responder, which the leaves and intermediates state; nil for certificates without a URL.
    package init(name: String, now: Timestamp, ocspURL: String? = nil) throws {
        try self.init(name: name, now: now, keys: AuthorityKeys(), defects: [], ocspURL: ocspURL)
    }

    /// Creates an authority with two roots from existing keys, and issues its certificates with the given defects.
    ///
    /// - Parameters:
    ///   - name: The name of the authority's owner, which the names of the certificates contain.
    ///   - now: The current time.
    ///   - keys: The keys of the authority.
    ///   - defects: The defects of the certificates, for tests; empty for valid certificates.
    ///   - generation: The generation of the chain for receipts, which determines the digest algorithm of its signatures.
    ///   - ocspURL: The URL of the OCSP responder, which the leaves and intermediates state; nil for certificates without a URL.
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

    /// The one or two root certificates as PEM, which verifiers of the store's signatures must trust.
    package var rootsPEM: String {
        let (receipts, signedData) = (receiptChain.root, signedDataChain.root)
        // Encoding a certificate never fails, because the certificate was created or parsed before.
        return (receipts == signedData ? [receipts] : [receipts, signedData])
            .compactMap { try? $0.serializeAsPEM().pemString + "\n" }.joined()
    }

    /// The generation of the receipts that the authority signs, according to the signature algorithm of the leaf for receipts.
    package var generation: ReceiptGeneration {
        receiptChain.leaf.signatureAlgorithm == ReceiptGeneration.sha1.algorithm ? .sha1 : .sha256
    }

    /// The key that signs JWS.
    var signedDataSigner: SigningKey { nonP256SignedDataKey ?? .p256(signedDataKey) }
}
