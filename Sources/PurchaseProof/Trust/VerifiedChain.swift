import Crypto
import CryptoExtras
import Foundation
import PurchaseModel
import Synchronization
import X509

/// A certificate chain that was verified: it leads to a trusted root, its signatures are valid, and it meets the ``ChainRules``.
///
/// A chain in the verified-chain cache serves for data of several environments and times. Each verification that uses the chain therefore
/// examines whether the root is trusted in the environment of the data, and whether the time of signing is within ``validity``.
final class VerifiedChain: Sendable {
    /// The leaf, the intermediate and the root, or only the self-signed certificate of Xcode.
    let certificates: [Certificate]
    /// The same certificates as ``certificates``, with their DER encodings.
    let parsed: [ParsedCertificate]
    /// The certificates as DER.
    let encoded: [[UInt8]]
    /// The certificates as the characters of standard base64, as in the member `x5c` of a JWS header.
    let base64: [[UInt8]]
    /// The root's fingerprint.
    let root: RootFingerprint
    /// The period in which all certificates of the chain are valid, in whole seconds.
    let validity: ClosedRange<Timestamp>
    /// The leaf's public key, which verifies the signature of a receipt or of signed data.
    let key: SignerKey
    /// The name of the leaf's issuer as DER.
    let issuer: [UInt8]
    /// The content octets of the leaf's serial number.
    let serial: [UInt8]
    /// The SHA-256 of the signed parts of the certificates, which identifies the chain in the cache of revocation statuses.
    ///
    /// The signatures are not included, because an ECDSA signature has two valid encodings.
    let identity: [UInt8]

    /// Creates a chain from verified certificates, leaf first; nil when there is no time at which all of them are valid.
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

    /// Returns whether an environment accepts chains of this length.
    ///
    /// All environments accept three certificates. Only Xcode's environment accepts a single, self-signed certificate.
    func hasLength(for environment: DataEnvironment) -> Bool {
        encoded.count == 3 || environment == .known(.xcode)
    }
}

/// The cache of the certificate chains that were verified with one root.
///
/// The cache is a linked list that only grows. It is read and extended without locks, because each node is written once. When the list is
/// full, no chain is removed, and a chain that is not in the list is verified each time. Each root has a separate list, so the chains of a
/// sandbox root take no room from the chains of another root. The same chain can be in the list up to four times, because the ECDSA
/// signatures of its two issued certificates have two encodings each.
final class VerifiedChainCache: Sendable {
    /// The maximum number of chains in the cache, each of which takes about 25 kB.
    ///
    /// In twelve years, Apple has signed the known receipts with seven leaf certificates, and the known JWS with fewer.
    static let limit = 64

    private let head = AtomicLazyReference<Node>()

    private final class Node: Sendable {
        let chain: VerifiedChain
        let next = AtomicLazyReference<Node>()

        init(_ chain: VerifiedChain) {
            self.chain = chain
        }
    }

    /// Returns the first chain in the cache for which `matches` returns true; nil when there is none.
    func first(where matches: (VerifiedChain) -> Bool) -> VerifiedChain? {
        var next = head.load()
        while let node = next {
            if matches(node.chain) { return node.chain }
            next = node.next.load()
        }
        return nil
    }

    /// Adds a chain, unless the cache is full or contains the same certificates already.
    ///
    /// - Returns: The chain in the cache with the same certificates; `chain` when the cache is full.
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

/// The public key of a leaf certificate, which verifies the signature of receipts or signed data.
enum SignerKey: Sendable {
    /// An RSA key, whose private key signs receipts.
    case rsa(_RSA.Signing.PublicKey)
    /// A P-256 key, whose private key signs JWS.
    case p256(P256.Signing.PublicKey)
    /// A key of another algorithm, with which no signature is accepted.
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
