public import Foundation
import PurchaseModel

extension Product {
    /// An option of a purchase.
    public struct PurchaseOption: Hashable, Sendable {
        /// The kind and value of an option.
        package enum Kind: Hashable, Sendable {
            case appAccountToken(UUID)
            case quantity(Int)
            case promotionalOffer(id: String, SubscriptionOffer.Signature)
            case signedOffer(id: String, compactJWS: String)
            case introductoryOffer(compactJWS: String)
            case winBackOffer(SubscriptionOffer)
            case storefrontChange(StorefrontChangeHandler)
            case simulatesAskToBuy(Bool)
            case custom(key: String, CustomValue)
            case test(TestOption)
        }

        /// An option that only purchases of test sessions support.
        package enum TestOption: Hashable, Sendable {
            case purchaseDate(Date, renews: Bool)
            case codeOffer(referenceName: String)
            case promotionalOffer(id: String)
        }

        /// The value of a custom option.
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

        /// Associates the purchase with a customer of the developer's server; transactions return the token as
        /// ``Transaction/appAccountToken``.
        public static func appAccountToken(_ token: UUID) -> PurchaseOption {
            PurchaseOption(.appAccountToken(token))
        }

        /// Sets the quantity, from 1 to 10; the default is 1.
        ///
        /// Only consumables and non-renewing subscriptions allow a quantity over 1.
        public static func quantity(_ quantity: Int) -> PurchaseOption {
            PurchaseOption(.quantity(quantity))
        }

        /// Applies a promotional offer with a signature of the developer's server.
        ///
        /// - Parameters:
        ///   - offerID: The offer's identifier.
        ///   - keyID: The identifier of the signing key.
        ///   - nonce: The nonce, which the server uses once.
        ///   - signature: The signature, in DER.
        ///   - timestamp: The date of the signature, in milliseconds since 1970.
        public static func promotionalOffer(
            offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
        ) -> PurchaseOption {
            let signature = SubscriptionOffer.Signature(keyID: keyID, nonce: nonce, timestamp: timestamp, signature: signature)
            return PurchaseOption(.promotionalOffer(id: offerID, signature))
        }

        /// Applies a promotional offer with a signature of the developer's server.
        public static func promotionalOffer(offerID: String, signature: SubscriptionOffer.Signature) -> PurchaseOption {
            PurchaseOption(.promotionalOffer(id: offerID, signature))
        }

        /// Applies a promotional offer with a JWS of the developer's server; add all returned options to the purchase.
        public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [PurchaseOption] {
            [PurchaseOption(.signedOffer(id: offerID, compactJWS: compactJWS))]
        }

        /// Overrides the eligibility for the introductory offer with a JWS of the developer's server.
        public static func introductoryOfferEligibility(compactJWS: String) -> PurchaseOption {
            PurchaseOption(.introductoryOffer(compactJWS: compactJWS))
        }

        /// Applies a win-back offer from ``SubscriptionInfo/winBackOffers``.
        public static func winBackOffer(_ offer: SubscriptionOffer) -> PurchaseOption {
            PurchaseOption(.winBackOffer(offer))
        }

        /// Decides whether the purchase continues after the account's storefront has changed since the product was loaded.
        ///
        /// Without this option, the purchase continues.
        @preconcurrency
        public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> PurchaseOption {
            PurchaseOption(.storefrontChange(StorefrontChangeHandler(shouldContinuePurchase)))
        }

        /// Simulates Ask to Buy: the purchase is pending until a parent approves it; for tests.
        public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> PurchaseOption {
            PurchaseOption(.simulatesAskToBuy(simulateAskToBuy))
        }

        /// Adds a custom string, which has no effect.
        public static func custom(key: String, value: String) -> PurchaseOption { PurchaseOption(.custom(key: key, .text(value))) }

        /// Adds a custom number, which has no effect.
        public static func custom(key: String, value: Double) -> PurchaseOption { PurchaseOption(.custom(key: key, .number(value))) }

        /// Adds a custom Boolean value, which has no effect.
        public static func custom(key: String, value: Bool) -> PurchaseOption { PurchaseOption(.custom(key: key, .flag(value))) }

        /// Adds custom data, which has no effect.
        public static func custom(key: String, value: Data) -> PurchaseOption { PurchaseOption(.custom(key: key, .data(value))) }
    }
}

extension Product.PurchaseOption: CustomDebugStringConvertible {
    /// The option; a signed option shows only its name, without the signature.
    public var debugDescription: String {
        switch kind {
        case .appAccountToken(let token): "appAccountToken: \(token)"
        case .quantity(let quantity): "quantity: \(quantity)"
        case .promotionalOffer(let id, _), .signedOffer(let id, _): "promotionalOffer: \(id)"
        case .introductoryOffer: "introductoryOfferEligibility"
        case .winBackOffer(let offer): "winBackOffer: \(offer.id ?? "")"
        case .storefrontChange: "onStorefrontChange"
        case .simulatesAskToBuy(let asks): "simulatesAskToBuyInSandbox: \(asks)"
        case .custom(let key, _): "custom: \(key)"
        case .test(let option): "\(option)"
        }
    }
}

/// A closure for storefront changes, compared by identity because closures are not equatable.
package final class StorefrontChangeHandler: Hashable, Sendable {
    let shouldContinue: @Sendable (Storefront) -> Bool

    init(_ shouldContinue: @escaping @Sendable (Storefront) -> Bool) {
        self.shouldContinue = shouldContinue
    }

    /// Compares identities.
    package static func == (one: StorefrontChangeHandler, other: StorefrontChangeHandler) -> Bool { one === other }

    /// Hashes the identity.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
