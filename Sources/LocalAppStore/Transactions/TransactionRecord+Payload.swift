import Foundation
import FoundationExtras
import GRDB
import PurchaseModel

extension TransactionRecord {
    /// The ownership type: purchased by the account, shared by a family member, or assigned to a member of a group.
    var ownership: Ownership {
        if kind == .assigned { return .assigned }
        // A transaction that restores a shared one has the kind of restored transactions.
        return purchaserTransactionID == nil ? .purchased : .familyShared
    }

    /// The number of seats of the transaction that are not refunded; 0 for a revoked transaction.
    var remainingSeats: Int { revokedAt == nil ? max(0, quantity - (multiSeatInfo?.revokedSeatQuantity ?? 0)) : 0 }

    /// Returns the payload for the signed transaction (`JWSTransaction`).
    func payload(signedDate: Timestamp) -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: id,
            originalTransactionId: originalID,
            bundleId: bundleID,
            productId: productID,
            purchaseDate: purchaseDate,
            originalPurchaseDate: originalPurchaseDate,
            quantity: quantity,
            type: type.rawValue,
            signedDate: signedDate,
            environment: environment.rawValue
        )
        payload.webOrderLineItemId = webOrderLineItemID
        payload.subscriptionGroupIdentifier = groupID
        payload.expiresDate = expiresDate
        payload.appAccountToken = appAccountToken
        payload.inAppOwnershipType = ownership.rawValue
        payload.revocationDate = revokedAt
        payload.revocationReason = revokedAt == nil ? nil : revocationReason ?? 0
        payload.revocationType = revocationType
        payload.revocationPercentage = revocationPercentage
        payload.isUpgraded = upgradedAt == nil ? nil : true
        payload.offerType = offerType
        payload.offerIdentifier = offerID
        payload.offerDiscountType = offerMode
        payload.offerPeriod = offerPeriod
        payload.billingPlanType = billingPlan
        payload.commitmentInfo = commitment
        payload.storefront = storefront
        payload.storefrontId = Storefront(countryCode: storefront)?.id
        payload.transactionReason = reason
        payload.additionalTransactionReason = additionalTransactionReason
        payload.bundleProductId = bundle?.productID
        payload.bundleSubscriptionGroupIdentifier = bundle?.groupID
        payload.bundleTransactionId = bundle?.transactionID
        payload.bundleOriginalTransactionId = bundle?.originalTransactionID
        if let multiSeatInfo, quantity > 1 || additionalTransactionReason != nil {
            payload.multiSeatInfo = multiSeatInfo
            // The price of seats is the average, which members' transactions state too: only the purchaser's tiers are the charge.
            payload.price = (multiSeatInfo.priceTiers?.total ?? price) / Int64(max(1, quantity))
            payload.currency = currency
        } else if purchaserTransactionID == nil {
            // A Family Sharing transaction does not state a price.
            payload.price = price
            payload.currency = currency
        } else {
            payload.commitmentInfo?.commitmentPrice = nil
        }
        payload.appTransactionId = appTransactionID.isEmpty ? nil : appTransactionID
        return payload
    }
}

extension TransactionRecord {
    /// The value of the column `commitment`, as GRDB reads it; nil without a commitment.
    fileprivate var commitmentJSON: String? { Self.json(commitment) }
    /// The value of the column `multiSeatInfo`, as GRDB reads it; nil without seats.
    fileprivate var multiSeatInfoJSON: String? { Self.json(multiSeatInfo) }

    /// The value of the column `bundle`, as GRDB reads it; nil without a bundle.
    fileprivate var bundleJSON: String? { Self.json(bundle) }

    private static func json(_ value: (some Encodable)?) -> String? {
        value.flatMap { try? WireJSON.encode($0) }.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension TransactionMultiSeatInfo {
    /// The number of seats of all tiers; nil if it is not a number that the store sells.
    var seats: Int? {
        guard let priceTiers else { return nil }
        var sum = 0
        for tier in priceTiers {
            guard let quantity = tier.quantity, (1...SeatPricing.seatLimit).contains(quantity) else { return nil }
            sum += quantity
        }
        return sum <= SeatPricing.seatLimit ? sum : nil
    }
}

extension TransactionRecord: PreparedInsertion {
    static let insertion = InsertStatement<TransactionRecord>([
        ("id", { $0.id.rawValue }), ("originalID", { $0.originalID.rawValue }), ("kind", { $0.kind.rawValue }),
        ("account", { $0.account.rawValue }), ("device", { $0.device.rawValue }), ("appVersion", { $0.appVersion }),
        ("productID", { $0.productID.rawValue }), ("type", { $0.type.rawValue }), ("groupID", { $0.groupID?.rawValue }),
        ("quantity", { $0.quantity }), ("price", { $0.price }), ("currency", { $0.currency }), ("reason", { $0.reason }),
        ("purchaseDate", { $0.purchaseDate.milliseconds }), ("originalPurchaseDate", { $0.originalPurchaseDate.milliseconds }),
        ("expiresDate", { $0.expiresDate?.milliseconds }), ("webOrderLineItemID", { $0.webOrderLineItemID }),
        ("appAccountToken", { $0.appAccountToken?.rawValue }), ("applicationUsername", { $0.applicationUsername }),
        ("payment", { $0.payment?.rawValue }), ("restores", { $0.restores?.rawValue }), ("restoreRequest", { $0.restoreRequest }),
        ("finishedAt", { $0.finishedAt?.milliseconds }), ("revokedAt", { $0.revokedAt?.milliseconds }),
        ("bundleID", { $0.bundleID.rawValue }), ("environment", { $0.environment.rawValue }), ("storefront", { $0.storefront }),
        ("appTransactionID", { $0.appTransactionID }), ("orderID", { $0.orderID }),
        ("purchaserTransactionID", { $0.purchaserTransactionID?.rawValue }), ("offerType", { $0.offerType }),
        ("offerID", { $0.offerID }), ("offerMode", { $0.offerMode }), ("offerPeriod", { $0.offerPeriod }),
        ("billingPlan", { $0.billingPlan }),
        ("commitment", { $0.commitmentJSON }), ("multiSeatInfo", { $0.multiSeatInfoJSON }),
        ("additionalTransactionReason", { $0.additionalTransactionReason }), ("additionTo", { $0.additionTo?.rawValue }),
        ("bundle", { $0.bundleJSON }), ("upgradedAt", { $0.upgradedAt?.milliseconds }), ("period", { $0.period }),
        ("revocationReason", { $0.revocationReason }),
        ("revocationType", { $0.revocationType }), ("revocationPercentage", { $0.revocationPercentage }), ("change", { $0.change }),
        ("revision", { $0.revision }),
    ])
}
