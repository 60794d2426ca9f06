import Crypto
import CryptoExtras
import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

extension ForgeryFactory {
    /// What most receipts say: one consumable, bought in the sandbox.
    static let content = ReceiptContent.sample()

    /// The same with a subscription.
    static let longerContent = ReceiptContent.sample([
        .sample(),
        .sample(
            id: "2000000000000002", product: "com.example.monkeyshop.magazine", type: .autoRenewable, expires: now.adding(days: 30)
        ),
    ])

    /// A container of the store for a content.
    ///
    /// - Parameters:
    ///   - payload: The content; nil for ``content``.
    ///   - authority: Whose chain signs; nil for the store's.
    ///   - ownRoot: Whether the root that comes with it is the authority's own instead of the store's.
    ///   - digest: What is signed.
    func container(
        _ payload: [UInt8]? = nil, by authority: CertificateAuthority? = nil, ownRoot: Bool = false, digest: ReceiptDigest? = nil
    ) throws -> ReceiptContainer {
        let issuer = ReceiptIssuer(authority: authority ?? store, digest: digest)
        var container = try issuer.container(for: payload ?? issuer.payload(of: Self.content))
        if !ownRoot, let chain = container.certificates { container.certificates = replacingRoot(chain, try receiptChain(store)) }
        return container
    }

    /// A receipt whose container was changed after it was signed.
    func receipt(
        by authority: CertificateAuthority? = nil, ownRoot: Bool = false, _ change: (inout ReceiptContainer) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        var container = try container(by: authority, ownRoot: ownRoot)
        try change(&container)
        return try container.encoded
    }

    /// A receipt whose container was written by hand.
    func rawReceipt(
        _ payload: [UInt8]? = nil, layer: (UInt8, [UInt8]) -> [UInt8] = BER.element, _ change: (inout RawContainer) throws -> Void
    ) throws -> [UInt8] {
        var container = try RawContainer(container(payload))
        try change(&container)
        return container.encoded(layer)
    }

    /// A receipt of the store that says what the store would not.
    func receipt(saying content: ReceiptContent) throws -> [UInt8] {
        try container(ReceiptIssuer(authority: store).payload(of: content)).encoded
    }

    /// A receipt of the store whose attributes were changed before it was signed.
    func receiptWithAttributes(_ change: (inout [EncodedAttribute]) throws -> Void) throws -> [UInt8] {
        var attributes = try Self.content.attributes(random: .system)
        try change(&attributes)
        return try container(EncodedAttribute.encode(attributes)).encoded
    }

    /// A receipt of the store whose only purchase was changed before it was signed.
    func receiptWithPurchaseAttributes(_ change: (inout [EncodedAttribute]) throws -> Void) throws -> [UInt8] {
        var purchase = try Self.content.purchases[0].attributes
        try change(&purchase)
        let encoded = try EncodedAttribute.encode(purchase)
        return try receiptWithAttributes { attributes in
            attributes.removeAll { $0.number == 17 }
            attributes.append(EncodedAttribute(.purchase, raw: encoded))
        }
    }

    /// A receipt in Xcode's form, which says what is wanted.
    func xcodeReceipt(by authority: XcodeAuthority, environment: AppEnvironment = .xcode) throws -> [UInt8] {
        let issuer = ReceiptIssuer(xcode: authority)
        var content = Self.content
        content.environment = .xcode
        guard environment != .xcode else { return try issuer.issue(content) }
        var attributes = try content.xcodeAttributes(random: .system)
        attributes[0] = try EncodedAttribute(.receiptType, "ProductionSandbox")
        return try issuer.sign(EncodedAttribute.encodeUnsorted(attributes))
    }

    /// The signature of a content with SHA-256.
    func signature(of payload: [UInt8], by key: _RSA.Signing.PrivateKey) throws -> [UInt8] {
        Array(try key.signature(for: SHA256.hash(data: payload), padding: .insecurePKCS1v1_5).rawRepresentation)
    }
}

extension [UInt8] {
    /// The same bytes with every occurrence of a text replaced by another of the same length.
    func replacing(_ text: String, with other: String) -> [UInt8] {
        Array(replacing(Array(text.utf8), with: Array(other.utf8)))
    }
}

extension [EncodedAttribute] {
    /// Replaces the octets of an attribute.
    mutating func set(_ number: Int64, _ octets: [UInt8]) {
        for index in indices where self[index].number == number { self[index].octets = octets }
    }

    /// Takes an attribute out.
    mutating func remove(_ number: Int64) {
        removeAll { $0.number == number }
    }
}
