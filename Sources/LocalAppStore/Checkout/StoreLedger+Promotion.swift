import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Simulates a promoted in-app purchase: the account selects a product in the App Store.
    ///
    /// The app receives the purchase intent with its next request for unfinished transactions.
    func promote(_ request: PromotionRequest) async throws {
        try await write { db, now in
            let app = try apps.require(request.bundleID ?? apps.defaultBundleID)
            guard app.catalog.product(request.productID) != nil else { throw StoreError.productUnknown }
            _ = try AccountRecord.require(request.account, db)
            try db.execute(
                sql: "INSERT INTO promotions (account, bundleID, productID, offerID) VALUES (?, ?, ?, ?)",
                arguments: [request.account.rawValue, app.bundleID.rawValue, request.productID.rawValue, request.offerID]
            )
            let event = EventRecord(
                date: now, kind: .promotion, bundleID: app.bundleID, account: request.account, productID: request.productID)
            try insertEvent(event, db)
        }
    }
}
