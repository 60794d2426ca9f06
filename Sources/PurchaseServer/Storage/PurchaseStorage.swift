import PurchaseModel
import PurchaseProof
import PurchaseProtocol

/// The storage of a server.
///
/// Each writing method is one transaction, and its write is durable when the method returns. The written values come from a verifier.
/// The read values are the server's records of them.
protocol PurchaseStorage: Sendable {
    /// Records a transaction and adds its credits to the customer's balance, once for each charge (`CreditRule`).
    ///
    /// A repeated call changes nothing and returns the same grant. A restore adds no credits, and neither does a transaction that was
    /// refunded before.
    func record(_ transaction: VerifiedTransaction, for customer: CustomerID, credits: Int) async throws -> CreditGrant

    /// Stores a notification by its UUID, adds its signed event to the purchase, and updates the entitlement and the credits.
    ///
    /// A refund debits the credits, possibly to a negative balance. A reversed refund adds them again.
    func apply(_ notification: VerifiedNotification) async throws -> NotificationOutcome

    /// Records a purchase of a receipt, with the first receipt that contains it.
    func record(_ receipt: VerifiedReceipt, showing purchase: ReceiptPurchase) async throws

    /// The entitlement of a purchase; nil for an unknown purchase.
    func entitlement(of purchase: TransactionID) async throws -> Entitlement?

    /// The entitlements of a customer's purchases of a product.
    func entitlements(of customer: CustomerID, to product: ProductID) async throws -> [Entitlement]

    /// A customer's balance; 0 for a new customer, negative when a refund revoked spent credits.
    func balance(of customer: CustomerID) async throws -> Int

    /// Debits credits, once for each idempotency key; a repeated call returns the first outcome.
    func spend(_ amount: Int, spending: String, by customer: CustomerID) async throws -> SpendingOutcome

    /// The key of download tokens: `candidate` in the first call, the same key in all later calls.
    func ticketKey(candidate: [UInt8]) async throws -> [UInt8]

    /// The newest purchases, newest first, with their states at `now`.
    func transactions(limit: Int, at now: Timestamp) async throws -> [BackofficeTransaction]

    /// The newest notifications, newest first.
    func notifications(limit: Int) async throws -> [BackofficeNotification]
}
