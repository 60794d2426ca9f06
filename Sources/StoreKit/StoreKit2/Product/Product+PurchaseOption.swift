public import Foundation
import PurchaseModel

extension Product {
    /// An option of a purchase.
    public struct PurchaseOption: Hashable, Sendable {
        /// What the option says.
        package enum Kind: Hashable, Sendable {
            case appAccountToken(UUID)
            case quantity(Int)
            case promotionalOffer(id: String, SubscriptionOffer.Signature)
            case signedOffer(id: String, compactJWS: String)
            case introductoryOffer(compactJWS: String)
            case winBackOffer(SubscriptionOffer)
            case storefrontChange(StorefrontQuestion)
            case asksToBuy(Bool)
            case custom(key: String, CustomValue)
            case test(TestOption)
        }

        /// What only purchases of test sessions can be made with.
        package enum TestOption: Hashable, Sendable {
            case purchaseDate(Date, renews: Bool)
            case codeOffer(referenceName: String)
            case promotionalOffer(id: String)
        }

        /// The value of an option that StoreKit does not know.
        package enum CustomValue: Hashable, Sendable {
            case text(String)
            case number(Double)
            case flag(Bool)
            case data(Data)
        }

        package let kind: Kind

        package init(_ kind: Kind) {
            self.kind = kind
        }

        /// Ties the purchase to a customer of the developer's server; comes back as ``Transaction/appAccountToken``.
        public static func appAccountToken(_ token: UUID) -> PurchaseOption {
            PurchaseOption(.appAccountToken(token))
        }

        /// How many to buy, from 1 to 10; 1 without it.
        ///
        /// For consumables and non-renewing subscriptions only.
        public static func quantity(_ quantity: Int) -> PurchaseOption {
            PurchaseOption(.quantity(quantity))
        }

        /// Asks for a promotional offer, with what the developer's server signed for it.
        ///
        /// - Parameters:
        ///   - offerID: The offer's identifier.
        ///   - keyID: The name of the key that signed.
        ///   - nonce: What the server used once.
        ///   - signature: The signature, in DER.
        ///   - timestamp: When it was signed, in milliseconds since 1970.
        public static func promotionalOffer(
            offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
        ) -> PurchaseOption {
            let signature = SubscriptionOffer.Signature(keyID: keyID, nonce: nonce, timestamp: timestamp, signature: signature)
            return PurchaseOption(.promotionalOffer(id: offerID, signature))
        }

        /// Asks for a promotional offer, with what the developer's server signed for it.
        public static func promotionalOffer(offerID: String, signature: SubscriptionOffer.Signature) -> PurchaseOption {
            PurchaseOption(.promotionalOffer(id: offerID, signature))
        }

        /// Asks for a promotional offer, with a JWS of the developer's server; add all of the options to the purchase.
        public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [PurchaseOption] {
            [PurchaseOption(.signedOffer(id: offerID, compactJWS: compactJWS))]
        }

        /// Decides, with a JWS of the developer's server, whether the customer may have the introductory offer.
        public static func introductoryOfferEligibility(compactJWS: String) -> PurchaseOption {
            PurchaseOption(.introductoryOffer(compactJWS: compactJWS))
        }

        /// Asks for a win-back offer, one of ``SubscriptionInfo/winBackOffers``.
        public static func winBackOffer(_ offer: SubscriptionOffer) -> PurchaseOption {
            PurchaseOption(.winBackOffer(offer))
        }

        /// Decides whether to go on when the account's storefront has changed since the product was loaded; without it, yes.
        @preconcurrency
        public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> PurchaseOption {
            PurchaseOption(.storefrontChange(StorefrontQuestion(shouldContinuePurchase)))
        }

        /// Has the purchase wait for a parent's approval, as a child's does; for tests.
        public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> PurchaseOption {
            PurchaseOption(.asksToBuy(simulateAskToBuy))
        }

        /// Adds a text that StoreKit does not know; without effect.
        public static func custom(key: String, value: String) -> PurchaseOption { PurchaseOption(.custom(key: key, .text(value))) }

        /// Adds a number that StoreKit does not know; without effect.
        public static func custom(key: String, value: Double) -> PurchaseOption { PurchaseOption(.custom(key: key, .number(value))) }

        /// Adds a truth value that StoreKit does not know; without effect.
        public static func custom(key: String, value: Bool) -> PurchaseOption { PurchaseOption(.custom(key: key, .flag(value))) }

        /// Adds data that StoreKit does not know; without effect.
        public static func custom(key: String, value: Data) -> PurchaseOption { PurchaseOption(.custom(key: key, .data(value))) }
    }
}

extension Product.PurchaseOption: CustomDebugStringConvertible {
    /// The option; of what a server signed, the name only.
    public var debugDescription: String {
        switch kind {
        case .appAccountToken(let token): "appAccountToken: \(token)"
        case .quantity(let quantity): "quantity: \(quantity)"
        case .promotionalOffer(let id, _), .signedOffer(let id, _): "promotionalOffer: \(id)"
        case .introductoryOffer: "introductoryOfferEligibility"
        case .winBackOffer(let offer): "winBackOffer: \(offer.id ?? "")"
        case .storefrontChange: "onStorefrontChange"
        case .asksToBuy(let asks): "simulatesAskToBuyInSandbox: \(asks)"
        case .custom(let key, _): "custom: \(key)"
        case .test(let option): "\(option)"
        }
    }
}

/// A question about another storefront; equal to itself only, as functions can't be compared.
package final class StorefrontQuestion: Hashable, Sendable {
    let shouldContinue: @Sendable (Storefront) -> Bool

    init(_ shouldContinue: @escaping @Sendable (Storefront) -> Bool) {
        self.shouldContinue = shouldContinue
    }

    /// Compares identities.
    package static func == (one: StorefrontQuestion, other: StorefrontQuestion) -> Bool { one === other }

    /// Hashes the identity.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
