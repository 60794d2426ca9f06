public import Foundation
import PurchaseModel

extension Product.SubscriptionInfo.RenewalInfo {
    /// The renewal information that only subscriptions of the Advanced Commerce API have.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// An item of the subscription that will renew.
        public struct Item: Hashable, Sendable {
            /// The details of an item, such as its name and price.
            public typealias Details = Transaction.AdvancedCommerceInfo.Item.Details

            /// A price increase of an item.
            public struct PriceIncreaseInfo: Hashable, Sendable {
                /// The state of a price increase.
                public struct Status: RawRepresentable, Hashable, Sendable {
                    /// The App Store's text for the state, such as `PENDING`.
                    public let rawValue: String

                    /// Creates a state from the App Store's text, such as `PENDING`.
                    public init(rawValue: String) {
                        self.rawValue = rawValue
                    }

                    /// The customer was asked for consent, and has not yet answered.
                    public static let pending = Status(rawValue: AdvancedCommercePriceIncreaseStatus.pending.rawValue)
                    /// The customer consented to the price increase.
                    public static let accepted = Status(rawValue: AdvancedCommercePriceIncreaseStatus.accepted.rawValue)
                    /// The price increase is scheduled, and the customer has not yet been asked for consent.
                    public static let scheduled = Status(rawValue: AdvancedCommercePriceIncreaseStatus.scheduled.rawValue)
                }

                /// The state of the price increase.
                public let status: Status
                /// The new price of the item, in the currency of the subscription.
                public let price: Decimal
                /// The identifiers of the items that the store cancels if the customer does not consent.
                public let dependentSKUs: [String]

                init(_ info: AdvancedCommercePriceIncreaseInfo) {
                    status = Status(rawValue: info.status ?? "")
                    price = Decimal(milliunits: info.price)
                    dependentSKUs = info.dependentSKUs ?? []
                }
            }

            /// The details of the item, such as its name and price.
            public let details: Details
            /// The price increase of the item; nil for an item without a price increase.
            public let priceIncreaseInfo: PriceIncreaseInfo?
        }

        /// A token that the App Store changes with every change of the subscription.
        public let consistencyToken: String
        /// The identifier that the developer assigned to the Advanced Commerce request.
        public let requestReferenceID: String
        /// The tax code of the subscription.
        public let taxCode: String
        /// The description of the subscription.
        public let description: String
        /// The display name of the subscription.
        public let displayName: String
        /// The duration of one period of the subscription.
        public let period: Product.SubscriptionPeriod
        /// The items of the subscription that will renew.
        public let items: [Item]

        /// Creates the information from a signed payload; returns nil if the payload contains no valid period.
        init?(_ info: AdvancedCommerceRenewalInfo) {
            guard let period = Product.SubscriptionPeriod(iso8601: info.period) else { return nil }
            consistencyToken = info.consistencyToken ?? ""
            requestReferenceID = info.requestReferenceId ?? ""
            taxCode = info.taxCode ?? ""
            description = info.descriptors?.description ?? ""
            displayName = info.descriptors?.displayName ?? ""
            self.period = period
            items = (info.items ?? []).map { item in
                Item(
                    details: Item.Details(
                        sku: item.SKU ?? "",
                        displayName: item.displayName ?? "",
                        description: item.description ?? "",
                        offer: item.offer.flatMap { Transaction.AdvancedCommerceInfo.Offer($0) },
                        price: Decimal(milliunits: item.price),
                        partners: (item.partners ?? []).compactMap { Transaction.AdvancedCommerceInfo.Partner($0) },
                        seatPriceTiers: (item.seatPriceTiers ?? []).map { Transaction.AdvancedCommerceInfo.SeatPriceTier($0) }
                    ),
                    priceIncreaseInfo: item.priceIncreaseInfo.map { Item.PriceIncreaseInfo($0) }
                )
            }
        }
    }
}
