public import Foundation
import PurchaseModel

extension Transaction {
    /// What a transaction of Advanced Commerce says beyond others.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// The developer's identifier of the request.
        public let requestReferenceID: String
        /// The tax as the store estimates it.
        public let estimatedTax: Decimal
        /// The rate of tax.
        public let taxRate: Decimal
        /// How it is taxed.
        public let taxCode: String
        /// The price without tax.
        public let taxExclusivePrice: Decimal
        /// What the subscription calls itself.
        public let description: String?
        /// The subscription's name.
        public let displayName: String?
        /// The duration of a period.
        public let period: Product.SubscriptionPeriod?
        /// What was bought.
        public let items: [Item]

        init(_ info: AdvancedCommerceTransactionInfo) {
            requestReferenceID = info.requestReferenceId ?? ""
            estimatedTax = Decimal(thousandths: info.estimatedTax)
            taxRate = info.taxRate.flatMap { Decimal(string: $0) } ?? 0
            taxCode = info.taxCode ?? ""
            taxExclusivePrice = Decimal(thousandths: info.taxExclusivePrice)
            description = info.descriptors?.description
            displayName = info.descriptors?.displayName
            period = Product.SubscriptionPeriod(stated: info.period)
            items = (info.items ?? []).map { Item($0) }
        }
    }
}

extension Transaction.AdvancedCommerceInfo {
    /// An item that was bought.
    public struct Item: Hashable, Sendable {
        /// What an item is.
        public struct Details: Hashable, Sendable {
            /// The developer's own identifier.
            public let sku: String
            /// Its name.
            public let displayName: String
            /// What it is.
            public let description: String
            /// The discount it was sold with; nil for none.
            public let offer: Offer?
            /// What it costs.
            public let price: Decimal
        }

        /// What it is.
        public let details: Details
        /// What was paid back for it; nil for nothing.
        public let refunds: [Refund]?
        /// The date of the revocation; nil when there was none.
        public let revocationDate: Date?

        init(_ item: AdvancedCommerceTransactionItem) {
            details = Details(
                sku: item.SKU ?? "",
                displayName: item.displayName ?? "",
                description: item.description ?? "",
                offer: item.offer.flatMap { Offer($0) },
                price: Decimal(thousandths: item.price)
            )
            refunds = item.refunds.map { $0.map { Refund($0) } }
            revocationDate = item.revocationDate?.date
        }
    }

    /// A discount on an item.
    public struct Offer: Hashable, Sendable {
        /// What an offer is for.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The store's word for it.
            public let rawValue: String

            /// Creates a reason from the store's word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// Winning customers.
            public static let acquisition = Reason(rawValue: AdvancedCommerceOfferReason.acquisition.rawValue)
            /// Keeping them.
            public static let retention = Reason(rawValue: AdvancedCommerceOfferReason.retention.rawValue)
            /// Winning them back.
            public static let winBack = Reason(rawValue: AdvancedCommerceOfferReason.winBack.rawValue)
        }

        /// The price of a period.
        public let price: Decimal
        /// The duration of a period.
        public let period: Product.SubscriptionPeriod
        /// The number of periods.
        public let periodCount: Int
        /// What it is for.
        public let reason: Reason

        init?(_ offer: AdvancedCommerceOffer) {
            guard let period = Product.SubscriptionPeriod(stated: offer.period) else { return nil }
            price = Decimal(thousandths: offer.price)
            self.period = period
            periodCount = offer.periodCount ?? 1
            reason = Reason(rawValue: offer.reason ?? "")
        }
    }

    /// What was paid back for an item.
    public struct Refund: Hashable, Sendable {
        /// Why something was paid back.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The store's word for it.
            public let rawValue: String

            /// Creates a reason from the store's word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// A legal reason.
            public static let legal = Reason(rawValue: AdvancedCommerceRefundReason.legal.rawValue)
            /// The items of a subscription changed.
            public static let modifyItems = Reason(rawValue: AdvancedCommerceRefundReason.modifyItems.rawValue)
            /// The customer did not mean to buy.
            public static let unintended = Reason(rawValue: AdvancedCommerceRefundReason.unintendedPurchase.rawValue)
            /// The customer did not get it, or could not use it.
            public static let unfulfilled = Reason(rawValue: AdvancedCommerceRefundReason.fulfillmentIssue.rawValue)
            /// The customer is not satisfied.
            public static let unsatisfied = Reason(rawValue: AdvancedCommerceRefundReason.unsatisfied.rawValue)
            /// Another reason.
            public static let other = Reason(rawValue: AdvancedCommerceRefundReason.other.rawValue)
        }

        /// How much was paid back.
        public struct RefundType: RawRepresentable, Hashable, Sendable {
            /// The store's word for it.
            public let rawValue: String

            /// Creates a type from the store's word.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// An amount of the developer's choice.
            public static let custom = RefundType(rawValue: AdvancedCommerceRefundType.custom.rawValue)
            /// For the time that was left.
            public static let proRated = RefundType(rawValue: AdvancedCommerceRefundType.prorated.rawValue)
            /// All of it.
            public static let full = RefundType(rawValue: AdvancedCommerceRefundType.full.rawValue)
        }

        /// Why.
        public let reason: Reason
        /// How much of it.
        public let type: RefundType
        /// When.
        public let date: Date
        /// What was paid back.
        public let amount: Decimal

        init(_ refund: AdvancedCommerceRefund) {
            reason = Reason(rawValue: refund.refundReason ?? "")
            type = RefundType(rawValue: refund.refundType ?? "")
            date = refund.refundDate?.date ?? .distantPast
            amount = Decimal(thousandths: refund.refundAmount)
        }
    }
}

extension Decimal {
    /// An amount in thousandths; zero where it is not stated.
    init(thousandths: Int64?) {
        self = Money(milliunits: thousandths ?? 0, currency: "").decimal
    }
}

extension Product.SubscriptionPeriod {
    /// An ISO 8601 duration of one unit; nil for anything else.
    init?(stated text: String?) {
        guard let period = text.flatMap({ BillingPeriod(iso8601: $0) }) else { return nil }
        self.init(period)
    }
}
