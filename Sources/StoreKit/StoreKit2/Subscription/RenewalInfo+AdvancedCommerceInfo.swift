import Foundation
import PurchaseModel

extension Product.SubscriptionInfo.RenewalInfo {
    /// The Advanced Commerce part of renewal information.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// An item that will renew.
        public struct Item: Hashable, Sendable {
            /// The details of an item.
            public typealias Details = Transaction.AdvancedCommerceInfo.Item.Details

            /// The details of the item.
            public let details: Details
        }

        /// The token that changes with every change of the subscription.
        public let consistencyToken: String
        /// The developer's identifier for the request.
        public let requestReferenceID: String
        /// The tax code.
        public let taxCode: String
        /// The description of the subscription.
        public let description: String
        /// The display name of the subscription.
        public let displayName: String
        /// The duration of a period.
        public let period: Product.SubscriptionPeriod
        /// The items that will renew.
        public let items: [Item]

        /// Creates the information from a signed payload; nil when the payload has no valid period.
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
