import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseStorage

/// Creates verified events, with an authority of its own.
struct ContractEvents: Sendable {
    static let start = Timestamp(milliseconds: 1_760_000_000_000)
    /// The authority is created once per process, because the generation of its keys takes time.
    static let shared = Result { try ContractEvents() }

    private let issuer: SignedDataIssuer
    private let verifier: SignedDataVerifier

    private init() throws {
        let authority = try CertificateAuthority(
            storeNamed: "Contract", now: Self.start.adding(days: -1), receiptKeys: ReceiptKeys.shared)
        issuer = SignedDataIssuer(authority: authority)
        verifier = SignedDataVerifier(
            roots: try .apple(and: authority.rootsPEM, in: [.sandbox]), bundleID: PurchaseStorageContract.app, environments: [.sandbox])
    }

    /// Returns a verified event with a transaction and renewal info.
    func event(_ transaction: TransactionPayload, _ renewal: RenewalInfoPayload? = nil, source: String = "app") async throws
        -> VerifiedEvent
    {
        let signed: SignedTransaction = try issuer.sign(transaction)
        let verified = try await verifier.verify(signed)
        var verifiedRenewal: VerifiedRenewalInfo?
        if let renewal {
            let signed: SignedRenewalInfo = try issuer.sign(renewal)
            verifiedRenewal = try await verifier.verify(signed)
        }
        guard let event = VerifiedEvent(verified, verifiedRenewal, source: source) else {
            throw ContractViolation(description: "the renewal info belongs to another purchase")
        }
        return event
    }

    /// Returns the payload of a transaction.
    func transaction(
        _ id: String, of purchase: String? = nil, type: ProductType = .consumable, period: Int64? = nil, signed day: Int64 = 0
    ) -> TransactionPayload {
        let date = Self.start.adding(days: 30 * (period ?? 0))
        var payload = TransactionPayload(
            transactionId: TransactionID(id), originalTransactionId: TransactionID(purchase ?? id), bundleId: PurchaseStorageContract.app,
            productId: "product", purchaseDate: date, originalPurchaseDate: Self.start, quantity: 1, type: type.rawValue,
            signedDate: Self.start.adding(days: day), environment: AppEnvironment.sandbox.rawValue)
        payload.expiresDate = period.map { Self.start.adding(days: 30 * ($0 + 1)) }
        payload.webOrderLineItemId = period.map { "9\($0)" }
        return payload
    }

    /// Returns the payload of a transaction with a revocation.
    func revoked(_ transaction: TransactionPayload, percentage: Int? = nil, signed day: Int64) -> TransactionPayload {
        var payload = transaction
        payload.signedDate = Self.start.adding(days: day)
        payload.revocationDate = payload.signedDate
        payload.revocationReason = 0
        payload.revocationPercentage = percentage
        payload.revocationType = percentage.map { _ in RevocationType.proratedRefund.rawValue }
        return payload
    }
}
