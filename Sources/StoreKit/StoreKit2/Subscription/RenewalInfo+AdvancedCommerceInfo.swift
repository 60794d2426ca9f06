import Foundation
import PurchaseModel

extension Product.SubscriptionInfo.RenewalInfo {
    /// What renewal information of Advanced Commerce says beyond other.
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// An item that will renew.
        public struct Item: Hashable, Sendable {
            /// What an item is.
            public typealias Details = Transaction.AdvancedCommerceInfo.Item.Details

            /// What it is.
            public let details: Details
        }

        /// Changes with every change of the subscription.
        public let consistencyToken: String
        /// The developer's identifier of the request.
        public let requestReferenceID: String
        /// How it is taxed.
        public let taxCode: String
        /// What the subscription calls itself.
        public let description: String
        /// The subscription's name.
        public let displayName: String
        /// The duration of a period.
        public let period: Product.SubscriptionPeriod
        /// What will renew.
        public let items: [Item]

        /// What is signed; nil when it states no period.
        init?(_ info: AdvancedCommerceRenewalInfo) {
            guard let period = Product.SubscriptionPeriod(stated: info.period) else { return nil }
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
                        price: Decimal(thousandths: item.price)
                    )
                )
            }
        }
    }
}
