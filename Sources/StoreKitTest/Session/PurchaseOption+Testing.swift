public import Foundation
public import StoreKit

extension Product.PurchaseOption {
    /// What becomes of a subscription that is bought in the past.
    public enum SubscriptionRenewalBehavior: Hashable, Sendable {
        /// It has renewed from then until now.
        case renewUntilNow
        /// It was cancelled at once, and lasted for one period.
        case cancelImmediately
    }

    /// Buys at a date in the past; for `SKTestSession.buyProduct(identifier:options:)`.
    public static func purchaseDate(_ date: Date, renewalBehavior: SubscriptionRenewalBehavior = .renewUntilNow) -> Product.PurchaseOption {
        Product.PurchaseOption(.test(.purchaseDate(date, renews: renewalBehavior == .renewUntilNow)))
    }

    /// Redeems the offer code of that reference name; for `SKTestSession.buyProduct(identifier:options:)`.
    public static func codeOffer(referenceName: String) -> Product.PurchaseOption {
        Product.PurchaseOption(.test(.codeOffer(referenceName: referenceName)))
    }

    /// Takes a promotional offer without a signature; for `SKTestSession.buyProduct(identifier:options:)`.
    public static func promotionalOffer(id: String) -> Product.PurchaseOption {
        Product.PurchaseOption(.test(.promotionalOffer(id: id)))
    }
}
