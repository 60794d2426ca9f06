import Foundation
import PurchaseModel
import PurchaseProof

/// A transaction of an imported transaction history, parsed and validated; the signature is not verified.
struct ImportedTransaction: Sendable {
    /// The payload of the signed transaction.
    let payload: TransactionPayload
    let type: ProductType
    /// The position of the transaction in the imported history, counted from 0.
    let index: Int

    /// Parses and validates a signed transaction.
    ///
    /// - Throws: ``ImportError/invalidHistory(_:)`` if the JWS is unreadable or the transaction has an invalid value.
    init(_ signed: SignedTransaction, index: Int) throws(ImportError) {
        guard let jws = try? UnverifiedJWS(signed.compact),
            let payload = try? WireJSON.decode(TransactionPayload.self, from: Data(jws.payload))
        else { throw .invalidHistory(.malformedJWS(list: "signedTransactions", index: index)) }
        func require(_ isUsable: Bool, _ field: String) throws(ImportError) {
            guard isUsable else { throw .invalidHistory(.invalidValue(index: index, field: field)) }
        }
        // The App Store opened in July 2008, and a store's time has an upper limit.
        let dates = Timestamp(milliseconds: 1_215_648_000_000)...StoreTime.range.upperBound
        let identifiers = [
            ("transactionId", payload.transactionId.rawValue), ("originalTransactionId", payload.originalTransactionId.rawValue),
            ("productId", payload.productId.rawValue), ("bundleId", payload.bundleId.rawValue),
            ("webOrderLineItemId", payload.webOrderLineItemId ?? "0"), ("offerIdentifier", payload.offerIdentifier ?? "0"),
            ("appTransactionId", payload.appTransactionId ?? "0"), ("currency", payload.currency ?? "USD"),
        ]
        for (field, text) in identifiers { try require((1...255).contains(text.utf8.count), field) }
        try require(dates.contains(payload.purchaseDate), "purchaseDate")
        try require(dates.contains(payload.originalPurchaseDate), "originalPurchaseDate")
        try require(payload.revocationDate.map { dates.contains($0) } ?? true, "revocationDate")
        try require((1...1_000).contains(payload.quantity), "quantity")
        try require((0...1_000_000_000_000).contains(payload.price ?? 0), "price")
        try require((0...100_000).contains(payload.revocationPercentage ?? 0), "revocationPercentage")
        guard let type = payload.type.flatMap({ ProductType(rawValue: $0) }) else {
            throw .invalidHistory(.invalidValue(index: index, field: "type"))
        }
        if type == .autoRenewable {
            try require(payload.expiresDate.map { dates.contains($0) && $0 >= payload.purchaseDate } ?? false, "expiresDate")
            try require(payload.subscriptionGroupIdentifier.map { (1...255).contains($0.rawValue.utf8.count) } ?? false, "group")
        }
        self.payload = payload
        self.type = type
        self.index = index
    }

    /// Whether the transaction gives access through Family Sharing, and a family member is the purchaser.
    var isShared: Bool { payload.inAppOwnershipType == Ownership.familyShared.rawValue }

    /// The environment of the purchase: production, or the sandbox for all other environments.
    var environment: AppEnvironment { payload.environment == AppEnvironment.production.rawValue ? .production : .sandbox }
}
