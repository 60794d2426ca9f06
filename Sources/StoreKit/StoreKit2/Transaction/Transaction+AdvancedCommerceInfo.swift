public import Foundation
import PurchaseModel

extension Transaction {
    /// The transaction information that only purchases with the Advanced Commerce API have.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// The identifier that the developer assigned to the Advanced Commerce request.
        public let requestReferenceID: String
        /// The tax that the App Store estimates, in the currency of the transaction.
        public let estimatedTax: Decimal
        /// The tax rate of the transaction, as the App Store states it; 0 when the signed data does not contain it.
        public let taxRate: Decimal
        /// The tax code of the transaction.
        public let taxCode: String
        /// The price without tax, in the currency of the transaction.
        public let taxExclusivePrice: Decimal
        /// The description of the subscription; nil for other purchases.
        public let description: String?
        /// The display name of the subscription; nil for other purchases.
        public let displayName: String?
        /// The duration of one period of the subscription; nil for other purchases.
        public let period: Product.SubscriptionPeriod?
        /// The items of the purchase.
        public let items: [Item]

        init(_ info: AdvancedCommerceTransactionInfo) {
            requestReferenceID = info.requestReferenceId ?? ""
            estimatedTax = Decimal(milliunits: info.estimatedTax)
            taxRate = info.taxRate.flatMap { Decimal(string: $0) } ?? 0
            taxCode = info.taxCode ?? ""
            taxExclusivePrice = Decimal(milliunits: info.taxExclusivePrice)
            description = info.descriptors?.description
            displayName = info.descriptors?.displayName
            period = Product.SubscriptionPeriod(iso8601: info.period)
            items = (info.items ?? []).map { Item($0) }
        }
    }
}

extension Transaction.AdvancedCommerceInfo {
    /// An item of an Advanced Commerce purchase.
    public struct Item: Hashable, Sendable {
        /// The details of an item, such as its name and price.
        public struct Details: Hashable, Sendable {
            /// The identifier that the developer assigned to the item.
            public let sku: String
            /// The display name of the item.
            public let displayName: String
            /// The description of the item.
            public let description: String
            /// The discount on the item; nil for an item without a discount.
            public let offer: Offer?
            /// The price of the item, in the currency of the transaction.
            public let price: Decimal
            /// The partners that take part in the sale of the item.
            public let partners: [Partner]
            /// The prices of the item's seats (iOS 27.3 beta).
            public let seatPriceTiers: [SeatPriceTier]
        }

        /// The details of the item, such as its name and price.
        public let details: Details
        /// The refunds of the item; nil for an item without refunds.
        public let refunds: [Refund]?
        /// The date on which the App Store refunded or revoked the item; nil for an item that was not revoked.
        public let revocationDate: Date?

        init(_ item: AdvancedCommerceTransactionItem) {
            details = Details(
                sku: item.SKU ?? "",
                displayName: item.displayName ?? "",
                description: item.description ?? "",
                offer: item.offer.flatMap { Offer($0) },
                price: Decimal(milliunits: item.price),
                partners: (item.partners ?? []).compactMap { Partner($0) },
                seatPriceTiers: (item.seatPriceTiers ?? []).map { SeatPriceTier($0) }
            )
            refunds = item.refunds.map { $0.map { Refund($0) } }
            revocationDate = item.revocationDate?.date
        }
    }

    /// A partner that takes part in the sale of an item.
    public struct Partner: Hashable, Sendable {
        /// The identifier of the partner.
        public let id: String
        /// The name of the partner; nil when the signed data does not contain it.
        public let name: String?

        /// Creates a partner from a signed payload; returns nil if the payload contains no identifier.
        init?(_ partner: AdvancedCommercePartner) {
            guard let id = partner.id else { return nil }
            self.id = id
            name = partner.name
        }
    }

    /// A price for some of the seats of an item (iOS 27.3 beta).
    public struct SeatPriceTier: Hashable, Sendable {
        /// The price of one seat, in the currency of the transaction (iOS 27.3 beta).
        public let price: Decimal
        /// The highest number of seats at the price (iOS 27.3 beta); nil for the last tier.
        public let maximumSeatQuantity: Int?

        init(_ tier: AdvancedCommerceSeatPriceTier) {
            price = Decimal(milliunits: tier.price)
            maximumSeatQuantity = tier.maximumSeatQuantity
        }
    }

    /// A discount on an item.
    public struct Offer: Hashable, Sendable {
        /// The reason why a developer makes an offer.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The App Store's text for the reason, such as `RETENTION`.
            public let rawValue: String

            /// Creates a reason from the App Store's text, such as `RETENTION`.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The offer acquires new customers.
            public static let acquisition = Reason(rawValue: AdvancedCommerceOfferReason.acquisition.rawValue)
            /// The offer retains current subscribers.
            public static let retention = Reason(rawValue: AdvancedCommerceOfferReason.retention.rawValue)
            /// The offer wins back former subscribers.
            public static let winBack = Reason(rawValue: AdvancedCommerceOfferReason.winBack.rawValue)
        }

        /// The discounted price of one period, in the currency of the transaction.
        public let price: Decimal
        /// The duration of one period with the discounted price.
        public let period: Product.SubscriptionPeriod
        /// The number of periods for which the discounted price applies.
        public let periodCount: Int
        /// The reason why the developer made the offer.
        public let reason: Reason

        init?(_ offer: AdvancedCommerceOffer) {
            guard let period = Product.SubscriptionPeriod(iso8601: offer.period) else { return nil }
            price = Decimal(milliunits: offer.price)
            self.period = period
            periodCount = offer.periodCount ?? 1
            reason = Reason(rawValue: offer.reason ?? "")
        }
    }

    /// A refund of an item.
    public struct Refund: Hashable, Sendable {
        /// The reason why an item is refunded.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The App Store's text for the reason, such as `LEGAL`.
            public let rawValue: String

            /// Creates a reason from the App Store's text, such as `LEGAL`.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The refund has a legal reason.
            public static let legal = Reason(rawValue: AdvancedCommerceRefundReason.legal.rawValue)
            /// The developer changed the items of the subscription.
            public static let modifyItems = Reason(rawValue: AdvancedCommerceRefundReason.modifyItems.rawValue)
            /// The customer did not intend the purchase.
            public static let unintended = Reason(rawValue: AdvancedCommerceRefundReason.unintendedPurchase.rawValue)
            /// The item was not delivered, or did not work.
            public static let unfulfilled = Reason(rawValue: AdvancedCommerceRefundReason.fulfillmentIssue.rawValue)
            /// The customer is not satisfied.
            public static let unsatisfied = Reason(rawValue: AdvancedCommerceRefundReason.unsatisfied.rawValue)
            /// The refund has another reason.
            public static let other = Reason(rawValue: AdvancedCommerceRefundReason.other.rawValue)
        }

        /// The type of a refund.
        public struct RefundType: RawRepresentable, Hashable, Sendable {
            /// The App Store's text for the type, such as `FULL`.
            public let rawValue: String

            /// Creates a type from the App Store's text, such as `FULL`.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// A refund of an amount that the developer chose.
            public static let custom = RefundType(rawValue: AdvancedCommerceRefundType.custom.rawValue)
            /// A refund of the part of the price for the remaining time of the period.
            public static let proRated = RefundType(rawValue: AdvancedCommerceRefundType.prorated.rawValue)
            /// A refund of the whole price.
            public static let full = RefundType(rawValue: AdvancedCommerceRefundType.full.rawValue)
        }

        /// The reason why the item was refunded.
        public let reason: Reason
        /// The type of the refund.
        public let type: RefundType
        /// The date of the refund.
        public let date: Date
        /// The refunded amount, in the currency of the transaction.
        public let amount: Decimal
        /// The number of refunded seats (iOS 27.3 beta); nil for a refund that is not based on seats.
        public let revokedSeatQuantity: Int?

        init(_ refund: AdvancedCommerceRefund) {
            reason = Reason(rawValue: refund.refundReason ?? "")
            type = RefundType(rawValue: refund.refundType ?? "")
            date = refund.refundDate?.date ?? .distantPast
            amount = Decimal(milliunits: refund.refundAmount)
            revokedSeatQuantity = refund.revokedSeatQuantity
        }
    }
}

extension Decimal {
    /// Creates an amount from thousandths of the currency unit; nil creates zero.
    init(milliunits: Int64?) {
        self = Money(milliunits: milliunits ?? 0, currency: "").decimal
    }
}

extension Product.SubscriptionPeriod {
    /// Creates a period from an ISO 8601 duration with one unit, such as `P1M`; returns nil for any other text.
    init?(iso8601 text: String?) {
        guard let period = text.flatMap({ BillingPeriod(iso8601: $0) }) else { return nil }
        self.init(period)
    }
}
