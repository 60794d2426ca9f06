import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Offers a product to an account of the store's own accord: the app learns of it when it asks what is unfinished.
    func promote(_ request: PromotionRequest) async throws {
        try await write { db, now in
            let app = try apps.require(request.bundleID ?? apps.first)
            guard app.catalog.product(request.productID) != nil else { throw StoreError.productUnknown }
            _ = try AccountRecord.require(request.account, db)
            try db.execute(
                sql: "INSERT INTO promotions (account, bundleID, productID, offerID) VALUES (?, ?, ?, ?)",
                arguments: [request.account.rawValue, app.bundleID.rawValue, request.productID.rawValue, request.offerID]
            )
            let event = EventRecord(
                date: now, kind: .promotion, bundleID: app.bundleID, account: request.account, productID: request.productID)
            try record(event, db)
        }
    }
}
