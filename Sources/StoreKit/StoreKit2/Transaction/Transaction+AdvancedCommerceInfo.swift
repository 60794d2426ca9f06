public import Foundation
import PurchaseModel

extension Transaction {
    /// The Advanced Commerce part of a transaction.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// The developer's identifier for the request.
        public let requestReferenceID: String
        /// The tax that the store estimates.
        public let estimatedTax: Decimal
        /// The tax rate.
        public let taxRate: Decimal
        /// The tax code.
        public let taxCode: String
        /// The price without tax.
        public let taxExclusivePrice: Decimal
        /// The description of the subscription.
        public let description: String?
        /// The display name of the subscription.
        public let displayName: String?
        /// The duration of a period.
        public let period: Product.SubscriptionPeriod?
        /// The purchased items.
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
    /// A purchased item.
    public struct Item: Hashable, Sendable {
        /// The details of an item.
        public struct Details: Hashable, Sendable {
            /// The developer's identifier for the item.
            public let sku: String
            /// The display name.
            public let displayName: String
            /// The details of the item.
            public let description: String
            /// The discount on the item; nil for none.
            public let offer: Offer?
            /// The price.
            public let price: Decimal
        }

        /// The details of the item.
        public let details: Details
        /// The refunds of the item; nil for none.
        public let refunds: [Refund]?
        /// The date of the revocation; nil when there was none.
        public let revocationDate: Date?

        init(_ item: AdvancedCommerceTransactionItem) {
            details = Details(
                sku: item.SKU ?? "",
                displayName: item.displayName ?? "",
                description: item.description ?? "",
                offer: item.offer.flatMap { Offer($0) },
                price: Decimal(milliunits: item.price)
            )
            refunds = item.refunds.map { $0.map { Refund($0) } }
            revocationDate = item.revocationDate?.date
        }
    }

    /// A discount on an item.
    public struct Offer: Hashable, Sendable {
        /// The reason for an offer.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The store's raw value.
            public let rawValue: String

            /// Creates a reason from the store's raw value.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// To acquire customers.
            public static let acquisition = Reason(rawValue: AdvancedCommerceOfferReason.acquisition.rawValue)
            /// To retain customers.
            public static let retention = Reason(rawValue: AdvancedCommerceOfferReason.retention.rawValue)
            /// To win back former customers.
            public static let winBack = Reason(rawValue: AdvancedCommerceOfferReason.winBack.rawValue)
        }

        /// The price of a period.
        public let price: Decimal
        /// The duration of a period.
        public let period: Product.SubscriptionPeriod
        /// The number of periods.
        public let periodCount: Int
        /// The reason for the offer.
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
        /// The reason for a refund.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The store's raw value.
            public let rawValue: String

            /// Creates a reason from the store's raw value.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// A legal reason.
            public static let legal = Reason(rawValue: AdvancedCommerceRefundReason.legal.rawValue)
            /// The items of a subscription changed.
            public static let modifyItems = Reason(rawValue: AdvancedCommerceRefundReason.modifyItems.rawValue)
            /// The customer did not intend the purchase.
            public static let unintended = Reason(rawValue: AdvancedCommerceRefundReason.unintendedPurchase.rawValue)
            /// The item was not delivered, or did not work.
            public static let unfulfilled = Reason(rawValue: AdvancedCommerceRefundReason.fulfillmentIssue.rawValue)
            /// The customer is not satisfied.
            public static let unsatisfied = Reason(rawValue: AdvancedCommerceRefundReason.unsatisfied.rawValue)
            /// Another reason.
            public static let other = Reason(rawValue: AdvancedCommerceRefundReason.other.rawValue)
        }

        /// The type of a refund.
        public struct RefundType: RawRepresentable, Hashable, Sendable {
            /// The store's raw value.
            public let rawValue: String

            /// Creates a type from the store's raw value.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// A refund of an amount that the developer chose.
            public static let custom = RefundType(rawValue: AdvancedCommerceRefundType.custom.rawValue)
            /// A refund in proportion to the remaining time.
            public static let proRated = RefundType(rawValue: AdvancedCommerceRefundType.prorated.rawValue)
            /// A refund of the whole price.
            public static let full = RefundType(rawValue: AdvancedCommerceRefundType.full.rawValue)
        }

        /// The reason for the refund.
        public let reason: Reason
        /// The type of the refund.
        public let type: RefundType
        /// The date of the refund.
        public let date: Date
        /// The refunded amount.
        public let amount: Decimal

        init(_ refund: AdvancedCommerceRefund) {
            reason = Reason(rawValue: refund.refundReason ?? "")
            type = RefundType(rawValue: refund.refundType ?? "")
            date = refund.refundDate?.date ?? .distantPast
            amount = Decimal(milliunits: refund.refundAmount)
        }
    }
}

extension Decimal {
    /// Creates an amount from thousandths of the currency; nil creates zero.
    init(milliunits: Int64?) {
        self = Money(milliunits: milliunits ?? 0, currency: "").decimal
    }
}

extension Product.SubscriptionPeriod {
    /// Creates a period from an ISO 8601 duration of one unit; nil for any other text.
    init?(iso8601 text: String?) {
        guard let period = text.flatMap({ BillingPeriod(iso8601: $0) }) else { return nil }
        self.init(period)
    }
}
