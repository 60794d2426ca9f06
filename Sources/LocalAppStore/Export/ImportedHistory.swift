import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof
import StoreProtocol

/// A transaction history that an account imports, parsed and sorted.
struct ImportedHistory: Sendable {
    let request: ImportHistoryRequest
    /// The newest signed version of each transaction without those of Family Sharing, oldest first.
    ///
    /// A renewal that an upgrade replaced before its period began comes before the upgrade, although its purchase date is later.
    let transactions: [ImportedTransaction]
    /// The number of Family Sharing transactions, which are not imported.
    let sharedCount: Int
    /// The newest renewal info of each subscription, by original transaction identifier.
    let renewalInfos: [TransactionID: RenewalInfoPayload]
    /// The number of transactions, including Family Sharing transactions, that the App Store signed.
    let verifiedCount: Int

    /// Parses a transaction history; transactions without a valid signature of the App Store are accepted and only not counted as verified.
    ///
    /// - Throws: ``ImportError/invalidHistory(_:)`` if the history is empty or a part of it is invalid.
    init(_ request: ImportHistoryRequest) async throws {
        self.request = request
        guard !request.signedTransactions.isEmpty else { throw ImportError.invalidHistory(.empty) }
        var newest: [TransactionID: ImportedTransaction] = [:]
        var verifiedCount = 0
        for (index, signed) in request.signedTransactions.enumerated() {
            let transaction = try ImportedTransaction(signed, index: index)
            if let known = newest[transaction.payload.transactionId], known.payload.signedDate > transaction.payload.signedDate {
                // A transaction is signed again when it changes, such as by a refund.
            } else {
                newest[transaction.payload.transactionId] = transaction
            }
            let verifier = SignedDataVerifier(
                roots: .apple, bundleID: transaction.payload.bundleId, environments: [.production, .sandbox])
            if (try? await verifier.verify(signed)) != nil { verifiedCount += 1 }
        }
        sharedCount = newest.values.count(where: \.isShared)
        self.verifiedCount = verifiedCount
        let renewalInfos = try Self.renewalInfos(request.signedRenewalInfos ?? [])
        let owned = newest.values.filter { !$0.isShared }
        let purchases = Dictionary(grouping: owned.filter(\.isPurchase)) { $0.payload.originalTransactionId }
        transactions =
            owned.map { transaction in
                let original = transaction.payload.originalTransactionId
                var transaction = transaction
                transaction.replacedAt = transaction.replacementDate(among: purchases[original] ?? [], renewalInfos[original])
                return transaction
            }.sorted { $0.position < $1.position }
        self.renewalInfos = renewalInfos
    }

    private static func renewalInfos(_ signed: [SignedRenewalInfo]) throws -> [TransactionID: RenewalInfoPayload] {
        var newest: [TransactionID: RenewalInfoPayload] = [:]
        for (index, signed) in signed.enumerated() {
            guard let jws = try? UnverifiedJWS(signed.compact),
                let info = try? WireJSON.decode(RenewalInfoPayload.self, from: Data(jws.payload))
            else { throw ImportError.invalidHistory(.malformedJWS(list: "signedRenewalInfos", index: index)) }
            // The store will schedule an event at the end of the billing grace period, so the date must be in the store's time range.
            guard info.gracePeriodExpiresDate.map({ StoreTime.range.contains($0) }) ?? true else {
                throw ImportError.invalidHistory(.malformedJWS(list: "signedRenewalInfos", index: index))
            }
            guard newest[info.originalTransactionId].map({ $0.signedDate < info.signedDate }) ?? true else { continue }
            newest[info.originalTransactionId] = info
        }
        return newest
    }
}

extension ImportedTransaction {
    /// Whether the transaction is the original transaction of its purchase.
    var isFirst: Bool { payload.transactionId == payload.originalTransactionId }

    /// The date of the upgrade that replaced the transaction's subscription period, or of the signature that states the upgrade; nil for none.
    var upgradeDate: Timestamp? { (replacedAt ?? (payload.isUpgraded == true ? payload.signedDate : nil))?.wholeSeconds }

    /// Whether the customer purchased a subscription period, which the store did not renew.
    var isPurchase: Bool { type == .autoRenewable && payload.transactionReason != TransactionReason.renewal.rawValue }

    /// The position in an account's history: by date, and a replaced renewal before the upgrade that replaced it.
    var position: (Timestamp, Int, Int, Int) {
        let date = min(payload.purchaseDate, replacedAt ?? payload.purchaseDate)
        return (date, isFirst ? 0 : 1, replacedAt == nil ? 1 : 0, index)
    }

    /// Returns the date of the upgrade that replaced the transaction's subscription period; nil if no known purchase did.
    ///
    /// The App Store charges a renewal up to 24 hours before its period begins, so the upgrade can have the earlier purchase date. If the
    /// replaced renewal was not signed again since the upgrade, newer renewal info names the product of the upgrade.
    ///
    /// - Parameter purchases: The purchases of periods of the same subscription.
    func replacementDate(among purchases: [ImportedTransaction], _ info: RenewalInfoPayload?) -> Timestamp? {
        guard let end = payload.expiresDate else { return nil }
        let start = payload.purchaseDate
        let lead = isPurchase ? 0 : SubscriptionRules.maximumChargeAhead
        let names = info.flatMap { $0.signedDate >= payload.signedDate ? $0.productId : nil }
        return purchases.filter { purchase in
            guard purchase.payload.transactionId != payload.transactionId, let purchasedUntil = purchase.payload.expiresDate,
                purchase.payload.purchaseDate >= start.adding(seconds: -lead), purchase.payload.purchaseDate < end, purchasedUntil > start
            else { return false }
            let isNamed = names != payload.productId && names == purchase.payload.productId
            return payload.isUpgraded == true || (purchase.payload.purchaseDate < start && isNamed)
        }.map(\.payload.purchaseDate).min()
    }
}

/// A transaction of an imported transaction history, parsed and validated; the signature is not verified.
struct ImportedTransaction: Sendable {
    /// The payload of the signed transaction.
    let payload: TransactionPayload
    let type: ProductType
    /// The position of the transaction in the imported history, counted from 0.
    let index: Int
    /// The date of the upgrade that replaced the transaction's subscription period; nil if there is no such upgrade in the history.
    var replacedAt: Timestamp?

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
        try require((1...(payload.multiSeatInfo == nil ? 1_000 : SeatPricing.seatLimit)).contains(payload.quantity), "quantity")
        let prices: ClosedRange<Int64> = 0...1_000_000_000_000
        try require(prices.contains(payload.price ?? 0) && prices.contains(payload.total ?? 0), "price")
        if let seats = payload.multiSeatInfo {
            try require((0...payload.quantity).contains(seats.revokedSeatQuantity ?? 0), "revokedSeatQuantity")
            for tier in seats.priceTiers ?? [] {
                let isValid = prices.contains(tier.price ?? -1) && (1...SeatPricing.seatLimit).contains(tier.quantity ?? 0)
                try require(isValid, "priceTiers")
            }
        }
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

    /// Whether another account is the purchaser: a family member, or the purchaser of a group's seats.
    var isShared: Bool { payload.ownership == .familyShared || payload.ownership == .assigned }

    /// The environment of the purchase: production, or the sandbox for all other environments.
    var environment: AppEnvironment { payload.environment == AppEnvironment.production.rawValue ? .production : .sandbox }
}
