import Crypto
import CryptoExtras
import Foundation
import PurchaseModel
import Synchronization
import X509

/// A verified chain: it leads to a trusted root, every signature is valid, and markers and key usages are right.
///
/// These properties do not depend on the time. Each verification also examines whether the root is trusted in the environment, and
/// whether the time of signing is within ``validity``.
final class VerifiedChain: Sendable {
    /// Leaf, intermediate and root, or Xcode's self-signed certificate.
    let certificates: [Certificate]
    /// The certificates with their parsed fields.
    let parsed: [ParsedCertificate]
    /// The certificates as DER.
    let encoded: [[UInt8]]
    /// The certificates in standard base64, as in `x5c`.
    let base64: [[UInt8]]
    /// The root's fingerprint.
    let root: RootFingerprint
    /// The time within which every certificate is valid, in whole seconds.
    let validity: ClosedRange<Timestamp>
    /// The leaf's key.
    let key: SignerKey
    /// The name of the leaf's issuer as DER.
    let issuer: [UInt8]
    /// The content octets of the leaf's serial number.
    let serial: [UInt8]
    /// A digest of the signed parts of the certificates, the same for every encoding of the signatures.
    let identity: [UInt8]

    /// Creates the chain; nil when the certificates are never valid at the same time.
    init?(_ certificates: [ParsedCertificate], root: RootFingerprint) {
        guard let leaf = certificates.first else { return nil }
        var start = leaf.validity.start
        var end = leaf.validity.end
        for certificate in certificates.dropFirst() {
            start = max(start, certificate.validity.start)
            end = min(end, certificate.validity.end)
        }
        guard start <= end else { return nil }
        validity = start...end
        parsed = certificates
        self.certificates = certificates.map(\.certificate)
        encoded = certificates.map(\.encoded)
        base64 = certificates.map { Array(Data($0.encoded).base64EncodedData()) }
        self.root = root
        key = SignerKey(leaf.certificate.publicKey)
        issuer = leaf.issuer
        serial = leaf.serial
        var digest = SHA256()
        for certificate in certificates { digest.update(data: certificate.certificate.tbsCertificateBytes) }
        identity = Array(digest.finalize())
    }

    /// Whether chains of this length are accepted in an environment: a self-signed certificate is accepted in Xcode's only.
    func hasLength(for environment: AppEnvironment) -> Bool {
        encoded.count == 3 || environment == .xcode
    }
}

/// The verified-chain cache of one root.
///
/// A list that only grows, read and extended without locks: each node is written once. The list contains only verified chains, each in
/// at most four encodings (see ``ParsedCertificate``). Each root has a separate list, so a root that is trusted in a sandbox displaces
/// no chain of another root. When the list is full, further chains are verified each time: slower, with the same result.
final class VerifiedChainCache: Sendable {
    /// The maximum number of chains, of about 25 kB each.
    ///
    /// The known receipts of twelve years have seven leaves, and JWS fewer.
    static let limit = 64

    private let head = AtomicLazyReference<Node>()

    private final class Node: Sendable {
        let chain: VerifiedChain
        let next = AtomicLazyReference<Node>()

        init(_ chain: VerifiedChain) {
            self.chain = chain
        }
    }

    /// The first chain that matches; nil when none does.
    func first(where matches: (VerifiedChain) -> Bool) -> VerifiedChain? {
        var next = head.load()
        while let node = next {
            if matches(node.chain) { return node.chain }
            next = node.next.load()
        }
        return nil
    }

    /// Adds a chain unless the list is full, and returns it, or the equal one that is there already.
    func insert(_ chain: VerifiedChain) -> VerifiedChain {
        let new = Node(chain)
        var node = head.storeIfNil(new)
        var count = 1
        while node !== new {
            if node.chain.encoded == chain.encoded { return node.chain }
            guard count < Self.limit else { return chain }
            node = node.next.storeIfNil(new)
            count += 1
        }
        return chain
    }
}

/// The public key of a leaf certificate, parsed once and used many times.
enum SignerKey: Sendable {
    /// Signs receipts.
    case rsa(_RSA.Signing.PublicKey)
    /// Signs JWS.
    case p256(P256.Signing.PublicKey)
    /// Another algorithm, which is not accepted.
    case other

    init(_ key: Certificate.PublicKey) {
        if let key = P256.Signing.PublicKey(key) {
            self = .p256(key)
        } else if let key = _RSA.Signing.PublicKey(key) {
            self = .rsa(key)
        } else {
            self = .other
        }
    }
}
