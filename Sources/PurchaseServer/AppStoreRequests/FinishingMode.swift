import PurchaseModel
import PurchaseStorage

/// The transactions that the server finishes with the App Store Server API, in place of the app.
public enum FinishingMode: String, Codable, Hashable, Sendable, CaseIterable {
    /// The server finishes no transactions; the app finishes them.
    case off
    /// The server finishes a consumable after it has added the credits.
    case consumables
}

extension AppStoreRequest {
    /// The number of days in which the server tries to finish a transaction.
    private static let finishingDays: Int64 = 30

    /// Returns the request that finishes a transaction.
    static func finishing(_ transaction: TransactionPayload, at now: Timestamp) -> AppStoreRequest {
        AppStoreRequest(
            .finish, purchase: transaction.originalTransactionId, transactionID: transaction.transactionId,
            key: transaction.transactionId.rawValue, expiresAt: now.adding(days: finishingDays), dueAt: now)
    }
}
