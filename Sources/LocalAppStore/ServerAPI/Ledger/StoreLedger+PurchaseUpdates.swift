import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Saves consumption information that a developer's server sends about a purchase with a refund request.
    ///
    /// The information has an effect within ``consumptionWindow`` of the request; afterwards the store has decided. Information without a
    /// preceding request is accepted and discarded, as by the App Store.
    ///
    /// - Throws: The error of the first invalid field.
    func acceptConsumption(_ id: String, _ body: Data, in scope: APIScope) async throws {
        try await saveConsumption(of: id, in: scope) { row in
            guard row.purchaserTransactionID == nil else { throw ServerAPIError.familyTransactionNotSupported }
            return try WireJSON.encode(ConsumptionRequest(json: body, about: row.type))
        }
    }

    /// Saves consumption information in the numeric format of version 1, for consumables and auto-renewable subscriptions.
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

    /// Sets the app account token of a purchase; for a subscription, of the running period and of all later periods.
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

    /// Finishes a purchase; a repeated call changes nothing.
    func finish(_ id: String, in scope: APIScope) async throws {
        try await write { db, now in
            try finish(try transaction(id, in: scope, db), at: now, detail: "by the server", db)
        }
    }
}
