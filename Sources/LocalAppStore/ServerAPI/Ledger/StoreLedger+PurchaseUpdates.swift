import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Saves the consumption information that a developer's server sends about a transaction with a pending refund request.
    ///
    /// The information affects the store's decision about the refund request, which follows after ``consumptionWindow``. Information about
    /// a transaction without a pending refund request is accepted and discarded, as by the App Store.
    ///
    /// - Throws: ``ServerAPIError`` for the transaction, or for the first invalid member of the body.
    func acceptConsumption(_ id: String, _ body: Data, in scope: APIScope) async throws {
        try await saveConsumption(of: id, in: scope) { row in
            guard row.purchaserTransactionID == nil else { throw ServerAPIError.familyTransactionNotSupported }
            return try WireJSON.encode(ConsumptionRequest(json: body, about: row.type))
        }
    }

    /// Saves consumption information in the format of version 1, which accepts consumables and auto-renewable subscriptions only.
    func acceptConsumptionV1(_ id: String, _ body: Data, in scope: APIScope) async throws {
        try await saveConsumption(of: id, in: scope) { row in
            guard [.consumable, .autoRenewable].contains(row.type) else { throw ServerAPIError.invalidTransactionTypeNotSupported }
            return try WireJSON.encode(ConsumptionRequestV1(json: body))
        }
    }

    private func saveConsumption(
        of id: String, in scope: APIScope, _ read: @escaping @Sendable (TransactionRecord) throws -> Data
    ) async throws {
        try await write { db, now in
            let row = try transaction(id, in: scope, db)
            let consumption = String(decoding: try read(row), as: UTF8.self)
            guard var request = try RefundRequestRecord.pending(row.restores ?? row.id, db) else { return }
            request.consumption = consumption
            try request.update(db)
            try insertEvent(.server, about: row, at: now, detail: "consumption information", db)
        }
    }

    /// Sets the app account token of a purchase; for a subscription, the token of its current and all later periods.
    ///
    /// - Parameter id: The original transaction identifier of the purchase.
    /// - Throws: ``ServerAPIError`` if the identifier or the body is invalid, or the transaction gives access through Family Sharing.
    func setAppAccountToken(of id: String, _ body: Data, in scope: APIScope) async throws {
        try await write { db, now in
            let original = try transaction(id, in: scope, unknown: .originalTransactionIdNotFound, db)
            let token = try AppAccountTokenRequest(json: body).appAccountToken
            guard original.purchaserTransactionID == nil else { throw ServerAPIError.familyTransactionNotSupported }
            guard original.id == original.originalID else { throw ServerAPIError.transactionIdIsNotOriginalTransactionId }
            var row = original
            if var subscription = try SubscriptionRecord.fetchOne(db, key: original.id.rawValue) {
                subscription.change { $0.appAccountToken = token }
                try subscription.update(db)
                row = try TransactionRecord.newestPeriod(of: original.id, db) ?? original
            }
            row.appAccountToken = token
            try change(&row, db)
            try insertEvent(.server, about: row, at: now, detail: "app account token", db)
        }
    }

    /// Finishes a transaction as a developer's server requests; a repeated call changes nothing.
    func finish(_ id: String, in scope: APIScope) async throws {
        try await write { db, now in
            try finish(try transaction(id, in: scope, db), at: now, detail: "by the server", db)
        }
    }
}
