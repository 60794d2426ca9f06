import PurchaseModel

/// Which transactions the server finishes with the App Store Server API, in place of the app.
public enum FinishingMode: String, Codable, Hashable, Sendable, CaseIterable {
    /// None; the app finishes its transactions.
    case off
    /// Consumables whose credits the server has added.
    case consumables
}

extension OutgoingRequest {
    /// The time in days for which the server tries to finish a transaction; the app can finish it, too.
    private static let finishingDays: Int64 = 30

    /// Returns the request that finishes a transaction.
    static func finishing(_ transaction: TransactionPayload, at now: Timestamp) -> OutgoingRequest {
        OutgoingRequest(
            .finish, purchase: transaction.originalTransactionId, transactionID: transaction.transactionId,
            key: transaction.transactionId.rawValue, expiresAt: now.adding(days: finishingDays), dueAt: now)
    }
}
