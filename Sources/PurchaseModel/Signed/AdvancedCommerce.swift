/// The part of a transaction that only Advanced Commerce transactions have.
public struct AdvancedCommerceTransactionInfo: Codable, Hashable, Sendable {
    /// The description and the display name of the subscription.
    public var descriptors: AdvancedCommerceDescriptors?
    /// The store's estimate of the tax on the purchase, in thousandths of the currency unit.
    public var estimatedTax: Int64?
    /// The purchased items.
    public var items: [AdvancedCommerceTransactionItem]?
    /// The duration of a subscription period, as an ISO 8601 duration.
    public var period: String?
    /// The developer's identifier of the Advanced Commerce request, a UUID.
    public var requestReferenceId: String?
    /// The tax code of the purchase.
    public var taxCode: String?
    /// The price of the purchase without tax, in thousandths of the currency unit.
    public var taxExclusivePrice: Int64?
    /// The tax rate of the purchase, as decimal text.
    public var taxRate: String?

    /// Creates transaction information without values.
    public init() {}
}

/// A purchased Advanced Commerce item.
public struct AdvancedCommerceTransactionItem: Codable, Hashable, Sendable {
    /// The developer's identifier of the item.
    public var SKU: String?
    /// The description of the item.
    public var description: String?
    /// The display name of the item.
    public var displayName: String?
    /// The discount offer of the item.
    public var offer: AdvancedCommerceOffer?
    /// The partners that take part in the sale of the item.
    public var partners: [AdvancedCommercePartner]?
    /// The price of the item, in thousandths of the currency unit.
    public var price: Int64?
    /// The refunds of the item.
    public var refunds: [AdvancedCommerceRefund]?
    /// The date when the item was revoked.
    public var revocationDate: Timestamp?
    /// The prices of the item's seats.
    public var seatPriceTiers: [AdvancedCommerceSeatPriceTier]?

    /// Creates an item without values.
    public init() {}
}

/// The part of a subscription's renewal info that only Advanced Commerce subscriptions have.
public struct AdvancedCommerceRenewalInfo: Codable, Hashable, Sendable {
    /// The consistency token, a value that is different after every change of the subscription.
    public var consistencyToken: String?
    /// The description and the display name of the subscription.
    public var descriptors: AdvancedCommerceDescriptors?
    /// The items that renew.
    public var items: [AdvancedCommerceRenewalItem]?
    /// The duration of a subscription period, as an ISO 8601 duration.
    public var period: String?
    /// The developer's identifier of the Advanced Commerce request, a UUID.
    public var requestReferenceId: String?
    /// The tax code of the subscription.
    public var taxCode: String?

    /// Creates renewal info without values.
    public init() {}
}

/// An item of an Advanced Commerce subscription that renews.
public struct AdvancedCommerceRenewalItem: Codable, Hashable, Sendable {
    /// The developer's identifier of the item.
    public var SKU: String?
    /// The description of the item.
    public var description: String?
    /// The display name of the item.
    public var displayName: String?
    /// The discount offer of the item.
    public var offer: AdvancedCommerceOffer?
    /// The partners that take part in the sale of the item.
    public var partners: [AdvancedCommercePartner]?
    /// The price of the item, in thousandths of the currency unit.
    public var price: Int64?
    /// The pending price increase of the item.
    public var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?
    /// The prices with which the item's seats renew.
    public var seatPriceTiers: [AdvancedCommerceSeatPriceTier]?

    /// Creates an item without values.
    public init() {}
}

/// The description and the display name of an Advanced Commerce subscription.
public struct AdvancedCommerceDescriptors: Codable, Hashable, Sendable {
    /// The description of the subscription.
    public var description: String?
    /// The display name of the subscription.
    public var displayName: String?

    /// Creates descriptors without values.
    public init() {}
}

/// A discount offer for an Advanced Commerce item.
public struct AdvancedCommerceOffer: Codable, Hashable, Sendable {
    /// The duration of one offer period, as an ISO 8601 duration.
    public var period: String?
    /// The number of offer periods.
    public var periodCount: Int?
    /// The price of one offer period, in thousandths of the currency unit.
    public var price: Int64?
    /// The purpose of the offer.
    public var reason: String?

    /// Creates an offer without values.
    public init() {}

    /// The purpose of the offer; nil when the field is absent or has an unknown value.
    public var offerReason: AdvancedCommerceOfferReason? { reason.flatMap { AdvancedCommerceOfferReason(rawValue: $0) } }
}

/// A price increase of an Advanced Commerce item.
public struct AdvancedCommercePriceIncreaseInfo: Codable, Hashable, Sendable {
    /// The SKUs of the items whose prices increase together with the price of this item.
    public var dependentSKUs: [String]?
    /// The new price, in thousandths of the currency unit.
    public var price: Int64?
    /// The status of the price increase.
    public var status: String?

    /// Creates a price increase without values.
    public init() {}

    /// The status of the price increase; nil when the field is absent or has an unknown value.
    public var priceIncreaseStatus: AdvancedCommercePriceIncreaseStatus? {
        status.flatMap { AdvancedCommercePriceIncreaseStatus(rawValue: $0) }
    }
}

/// A refund of an Advanced Commerce item.
public struct AdvancedCommerceRefund: Codable, Hashable, Sendable {
    /// The refunded amount, in thousandths of the currency unit.
    public var refundAmount: Int64?
    /// The date of the refund.
    public var refundDate: Timestamp?
    /// The reason for the refund.
    public var refundReason: String?
    /// The kind of refund.
    public var refundType: String?
    /// The number of refunded seats.
    public var revokedSeatQuantity: Int?

    /// Creates a refund without values.
    public init() {}

    /// The reason for the refund; nil when the field is absent or has an unknown value.
    public var reason: AdvancedCommerceRefundReason? { refundReason.flatMap { AdvancedCommerceRefundReason(rawValue: $0) } }

    /// The kind of refund; nil when the field is absent or has an unknown value.
    public var type: AdvancedCommerceRefundType? { refundType.flatMap { AdvancedCommerceRefundType(rawValue: $0) } }
}

/// A partner that takes part in the sale of an Advanced Commerce item.
public struct AdvancedCommercePartner: Codable, Hashable, Sendable {
    /// The identifier of the partner.
    public var id: String?
    /// The name of the partner.
    public var name: String?

    /// Creates a partner without values.
    public init() {}
}

/// A price for some of the seats of an Advanced Commerce item.
public struct AdvancedCommerceSeatPriceTier: Codable, Hashable, Sendable {
    /// The highest number of seats at the price; nil for the last tier.
    public var maximumSeatQuantity: Int?
    /// The price of one seat, in thousandths of the currency unit.
    public var price: Int64?

    /// Creates a tier without values.
    public init() {}
}

/// The purpose of an Advanced Commerce offer.
public enum AdvancedCommerceOfferReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The offer acquires new customers.
    case acquisition = "ACQUISITION"
    /// The offer wins back former customers.
    case winBack = "WIN_BACK"
    /// The offer retains existing customers.
    case retention = "RETENTION"
}

/// The status of a price increase for an Advanced Commerce item.
public enum AdvancedCommercePriceIncreaseStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// The price increase is scheduled, and the customer has not been asked for consent yet.
    case scheduled = "SCHEDULED"
    /// The customer was asked for consent and has not answered.
    case pending = "PENDING"
    /// The customer consented to the price increase.
    case accepted = "ACCEPTED"
}

/// The reason for the refund of an Advanced Commerce item.
public enum AdvancedCommerceRefundReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// The customer did not intend the purchase.
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    /// The customer did not receive the item, or could not use it.
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    /// The customer is not satisfied with the item.
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    /// The refund has a legal reason.
    case legal = "LEGAL"
    /// The refund has another reason.
    case other = "OTHER"
    /// The refund follows a change of the subscription's items.
    case modifyItems = "MODIFY_ITEMS_REFUND"
    /// The developer tests a declined refund in the sandbox.
    case simulateDecline = "SIMULATE_REFUND_DECLINE"
}

/// The kind of refund of an Advanced Commerce item.
public enum AdvancedCommerceRefundType: String, Codable, Hashable, Sendable, CaseIterable {
    /// The full price is refunded.
    case full = "FULL"
    /// The price of the remaining time is refunded.
    case prorated = "PRORATED"
    /// An amount that the developer chose is refunded.
    case custom = "CUSTOM"
}

// Apple documents partners and seats of items in StoreKit only, and not their JSON. Values in another form than the expected form do not
// make the signed payload unreadable.

extension AdvancedCommerceTransactionItem {
    /// Decodes an item; ``partners`` and ``seatPriceTiers`` in an unexpected form become nil.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        SKU = try container.decodeIfPresent(String.self, forKey: .SKU)
        description = try container.decodeIfPresent(String.self, forKey: .description)
        displayName = try container.decodeIfPresent(String.self, forKey: .displayName)
        offer = try container.decodeIfPresent(AdvancedCommerceOffer.self, forKey: .offer)
        partners = try? container.decodeIfPresent([AdvancedCommercePartner].self, forKey: .partners)
        price = try container.decodeIfPresent(Int64.self, forKey: .price)
        refunds = try container.decodeIfPresent([AdvancedCommerceRefund].self, forKey: .refunds)
        revocationDate = try container.decodeIfPresent(Timestamp.self, forKey: .revocationDate)
        seatPriceTiers = try? container.decodeIfPresent([AdvancedCommerceSeatPriceTier].self, forKey: .seatPriceTiers)
    }
}

extension AdvancedCommerceRenewalItem {
    /// Decodes an item; ``partners`` and ``seatPriceTiers`` in an unexpected form become nil.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        SKU = try container.decodeIfPresent(String.self, forKey: .SKU)
        description = try container.decodeIfPresent(String.self, forKey: .description)
        displayName = try container.decodeIfPresent(String.self, forKey: .displayName)
        offer = try container.decodeIfPresent(AdvancedCommerceOffer.self, forKey: .offer)
        partners = try? container.decodeIfPresent([AdvancedCommercePartner].self, forKey: .partners)
        price = try container.decodeIfPresent(Int64.self, forKey: .price)
        priceIncreaseInfo = try container.decodeIfPresent(AdvancedCommercePriceIncreaseInfo.self, forKey: .priceIncreaseInfo)
        seatPriceTiers = try? container.decodeIfPresent([AdvancedCommerceSeatPriceTier].self, forKey: .seatPriceTiers)
    }
}

extension AdvancedCommerceRefund {
    /// Decodes a refund; ``revokedSeatQuantity`` in an unexpected form becomes nil.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        refundAmount = try container.decodeIfPresent(Int64.self, forKey: .refundAmount)
        refundDate = try container.decodeIfPresent(Timestamp.self, forKey: .refundDate)
        refundReason = try container.decodeIfPresent(String.self, forKey: .refundReason)
        refundType = try container.decodeIfPresent(String.self, forKey: .refundType)
        revokedSeatQuantity = try? container.decodeIfPresent(Int.self, forKey: .revokedSeatQuantity)
    }
}

extension AdvancedCommerceTransactionInfo {
    /// The information without the members that the App Store added in 2026.
    var withoutMembersOf2026: AdvancedCommerceTransactionInfo {
        var copy = self
        copy.items = items?.map { item in
            var item = item
            item.partners = nil
            item.seatPriceTiers = nil
            item.refunds = item.refunds?.map { refund in
                var refund = refund
                refund.revokedSeatQuantity = nil
                return refund
            }
            return item
        }
        return copy
    }
}
