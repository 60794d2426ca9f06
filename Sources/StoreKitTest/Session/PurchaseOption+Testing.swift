public import Foundation
public import StoreKit

extension Product.PurchaseOption {
    /// The renewals of a subscription after a purchase at a date in the past.
    public enum SubscriptionRenewalBehavior: Hashable, Sendable {
        /// The subscription has renewed at the end of each period until now.
        case renewUntilNow
        /// The customer disabled auto-renew immediately after the purchase, so that the subscription lasted for one period.
        case cancelImmediately
    }

    /// Sets a purchase date in the past, for `SKTestSession.buyProduct(identifier:options:)`.
    public static func purchaseDate(_ date: Date, renewalBehavior: SubscriptionRenewalBehavior = .renewUntilNow) -> Product.PurchaseOption {
        Product.PurchaseOption(.test(.purchaseDate(date, renews: renewalBehavior == .renewUntilNow)))
    }

    /// Redeems the offer code with a reference name, for `SKTestSession.buyProduct(identifier:options:)`.
    public static func codeOffer(referenceName: String) -> Product.PurchaseOption {
        Product.PurchaseOption(.test(.codeOffer(referenceName: referenceName)))
    }

    /// Applies a promotional offer without a signature, for `SKTestSession.buyProduct(identifier:options:)`.
    public static func promotionalOffer(id: String) -> Product.PurchaseOption {
        Product.PurchaseOption(.test(.promotionalOffer(id: id)))
    }
}
