import Foundation
import PurchaseModel

extension Product.SubscriptionInfo.RenewalInfo {
    /// The renewal information that only subscriptions of the Advanced Commerce API have.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// An item of the subscription that will renew.
        public struct Item: Hashable, Sendable {
            /// The details of an item, such as its name and price.
            public typealias Details = Transaction.AdvancedCommerceInfo.Item.Details

            /// The details of the item, such as its name and price.
            public let details: Details
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
                        price: Decimal(milliunits: item.price)
                    )
                )
            }
        }
    }
}
