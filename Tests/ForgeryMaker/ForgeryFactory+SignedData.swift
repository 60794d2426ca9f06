import Crypto
import Foundation
import FoundationExtras
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

extension ForgeryFactory {
    /// The JSON of a value as it goes over the wire.
    func json(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(value), as: UTF8.self)
    }

    /// The JSON of a transaction.
    func transaction(_ change: (inout TransactionPayload) -> Void = { _ in }) throws -> String {
        var payload = TransactionPayload.sample()
        change(&payload)
        return try json(payload)
    }

    /// The JSON of a transaction in which a piece of text was replaced.
    func transaction(_ text: String, _ other: String) throws -> String {
        try transaction().replacing(text, with: other)
    }

    /// The JSON of an app transaction.
    func appTransaction(_ change: (inout AppTransactionPayload) -> Void = { _ in }) throws -> String {
        var payload = AppTransactionPayload(receiptType: "Sandbox", bundleId: .test, receiptCreationDate: Self.now)
        payload.applicationVersion = "1.0"
        payload.originalApplicationVersion = "1.0"
        payload.originalPurchaseDate = Timestamp(milliseconds: 1_375_340_400_000)
        payload.originalPlatform = "iOS"
        change(&payload)
        return try json(payload)
    }

    /// Signs a payload.
    ///
    /// - Parameters:
    ///   - json: The payload.
    ///   - authority: Whose chain signs; nil for the store's.
    ///   - ownRoot: Whether the root that comes with it is the authority's own instead of the store's.
    ///   - change: Changes the header before all is signed.
    ///   - signature: Makes another signature.
    func sign(
        _ json: String, by authority: CertificateAuthority? = nil, ownRoot: Bool = false,
        header change: (inout SignedDataHeader) throws -> Void = { _ in }, signature: (([UInt8]) throws -> [UInt8])? = nil
    ) throws -> String {
        let issuer = SignedDataIssuer(authority: authority ?? store)
        var header = try issuer.header
        if !ownRoot, let chain = header.certificates { header.certificates = replacingRoot(chain, try signedDataChain(store)) }
        try change(&header)
        return try issuer.sign(json: Array(json.utf8), header: header, signature: signature)
    }

    /// A signed transaction whose header was changed before it was signed.
    func transactionHeaded(_ change: (inout SignedDataHeader) throws -> Void) throws -> String {
        try sign(transaction(), header: change)
    }

    /// A signed transaction with further members in its header.
    func transaction(headerMembers: String) throws -> String {
        try transactionHeaded { $0.additionalMembers = headerMembers }
    }

    /// A signed transaction with another signature.
    func transaction(signature: @escaping ([UInt8]) throws -> [UInt8]) throws -> String {
        try sign(transaction(), signature: signature)
    }

    /// Signs a header that is written out: what the encoder would not write.
    func sign(_ json: String, rawHeader: String) throws -> String {
        let text = Base64URL.encode(Array(rawHeader.utf8)) + "." + Base64URL.encode(Array(json.utf8))
        let signature = try keys.signedDataLeaf.signature(for: Data(text.utf8)).rawRepresentation
        return text + "." + Base64URL.encode(signature)
    }

    /// A signed transaction with `x5c` written out as JSON.
    func transaction(x5c: String) throws -> String {
        try sign(transaction(), rawHeader: #"{"alg":"ES256","x5c":\#(x5c)}"#)
    }

    /// The store's chain as `x5c` has it.
    func x5c() throws -> [String] {
        try signedDataChain(store).map { Data($0).base64EncodedString() }
    }

    /// A signed notification.
    func notification(
        transaction: String? = nil, renewalInfo: String? = nil, _ change: (inout NotificationPayload) -> Void = { _ in }
    ) throws -> String {
        var payload = NotificationPayload.sample(
            type: "SUBSCRIBED", transaction: transaction.map { SignedTransaction($0) },
            renewalInfo: renewalInfo.map { SignedRenewalInfo($0) }
        )
        change(&payload)
        return try sign(json(payload))
    }

    /// A JWS in Xcode's form.
    func xcodeJWS(by authority: XcodeAuthority, environment: AppEnvironment = .xcode) throws -> String {
        try SignedDataIssuer(xcode: authority).sign(TransactionPayload.sample(environment: environment)).compact
    }

    /// The elliptic signature of a JWS by the store's leaf.
    func ecdsa(_ octets: [UInt8]) throws -> P256.Signing.ECDSASignature {
        try keys.signedDataLeaf.signature(for: Data(octets))
    }
}
