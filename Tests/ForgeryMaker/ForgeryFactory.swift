import Crypto
import CryptoExtras
import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import X509

/// What the corpus is made with: the store that is trusted, and those who pretend to be it.
///
/// All flawed chains hang from the store's own root, so that the flaw is the only thing wrong with them.
struct ForgeryFactory {
    /// When everything is made.
    static let now = Timestamp.testStart
    static let name = "Forgery Corpus"
    /// Where certificates say that one can ask whether they were revoked; nobody answers there.
    static let ocspURL = "http://ocsp.example.com/corpus"

    /// The store's keys, with which its flawed chains are made, too.
    let keys: AuthorityKeys
    /// The keys of somebody whom nobody trusts.
    let strangersKeys: AuthorityKeys
    /// The store.
    let store: CertificateAuthority
    /// Somebody else, with other names.
    let stranger: CertificateAuthority
    /// Somebody else, with the store's names.
    let impostor: CertificateAuthority
    /// A store whose root has expired.
    let expired: CertificateAuthority
    /// The store with a responder.
    let revocable: CertificateAuthority
    /// What signs in StoreKit testing.
    let xcode: XcodeAuthority
    /// The same names with other keys.
    let xcodeImpostor: XcodeAuthority

    init() throws {
        keys = try AuthorityKeys()
        strangersKeys = try AuthorityKeys()
        store = try CertificateAuthority(name: Self.name, now: Self.now, keys: keys, defects: [])
        stranger = try CertificateAuthority(name: "Strangers", now: Self.now, keys: strangersKeys, defects: [])
        impostor = try CertificateAuthority(name: Self.name, now: Self.now, keys: strangersKeys, defects: [])
        expired = try CertificateAuthority(name: "Expired", now: Self.now, keys: AuthorityKeys(), defects: .expiredRoot)
        revocable = try CertificateAuthority(name: Self.name, now: Self.now, keys: keys, defects: [], ocspURL: Self.ocspURL)
        xcode = try XcodeAuthority(now: Self.now)
        xcodeImpostor = try XcodeAuthority(now: Self.now)
    }

    /// The store's chains with something wrong about them.
    func defective(_ defects: AuthorityDefects, generation: ReceiptGeneration = .sha256) throws -> CertificateAuthority {
        try CertificateAuthority(name: Self.name, now: Self.now, keys: keys, defects: defects, generation: generation)
    }

    /// Leaf, intermediate and root of an authority's receipts, in DER.
    func receiptChain(_ authority: CertificateAuthority) throws -> [[UInt8]] {
        try ReceiptIssuer(authority: authority).container(for: []).certificates ?? []
    }

    /// Leaf, intermediate and root of an authority's signed data, in DER.
    func signedDataChain(_ authority: CertificateAuthority) throws -> [[UInt8]] {
        try SignedDataIssuer(authority: authority).header.certificates ?? []
    }

    /// The chain with the store's own root in the place of the one that was made with it, which has the same name and key.
    func replacingRoot(_ chain: [[UInt8]], _ storesChain: [[UInt8]]) -> [[UInt8]] {
        chain.dropLast() + storesChain.suffix(1)
    }
}
