import PurchaseModel
import PurchaseProof
import PurchaseProtocol

/// Stores the purchases, entitlements, credits and notifications of a server.
///
/// Each method that writes is one database transaction, which is durable when the method returns. Only verified values are written.
protocol PurchaseStorage: Sendable {
    /// Records a transaction and adds its credits to the customer's balance, once for each charge (`CreditRule`).
    ///
    /// A repeated call changes nothing and returns the same grant. A restore or a refunded transaction adds no credits.
    func record(_ transaction: VerifiedTransaction, for customer: CustomerID, credits: Int) async throws -> CreditGrant

    /// Stores a notification by its UUID, and updates the entitlement and the credits of the purchase that it contains.
    ///
    /// A refund debits the credits, possibly to a negative balance. A reversed refund adds them again.
    func apply(_ notification: VerifiedNotification) async throws -> NotificationOutcome

    /// Records a purchase of a receipt, and the receipt unless an earlier one is stored for the purchase.
    func record(_ receipt: VerifiedReceipt, showing purchase: ReceiptPurchase) async throws

    /// Returns the entitlement of the purchase with an `originalTransactionId`; nil for an unknown purchase.
    func entitlement(of purchase: TransactionID) async throws -> Entitlement?

    /// Returns the entitlements of all purchases of a product by a customer.
    func entitlements(of customer: CustomerID, to product: ProductID) async throws -> [Entitlement]

    /// Returns a customer's balance of credits; 0 for a new customer, negative if a refund revoked spent credits.
    func balance(of customer: CustomerID) async throws -> Int

    /// Debits credits from a customer's balance, once for each idempotency key `spending`; a repeated call returns the first outcome.
    func spend(_ amount: Int, spending: String, by customer: CustomerID) async throws -> SpendingOutcome

    /// Returns the HMAC key of download tokens; the first call stores `candidate`, and every call returns the stored key.
    func ticketKey(candidate: [UInt8]) async throws -> [UInt8]

    /// Returns at most `limit` purchases, newest first, with their states at `now`.
    func transactions(limit: Int, at now: Timestamp) async throws -> [BackofficeTransaction]

    /// Returns at most `limit` notifications, newest first.
    func notifications(limit: Int) async throws -> [BackofficeNotification]
}
