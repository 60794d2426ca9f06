public import Foundation
import PurchaseModel

extension Product {
    /// An option of a purchase, such as a quantity or a promotional offer.
    public struct PurchaseOption: Hashable, Sendable {
        /// The kind of a purchase option, with its value.
        package enum Kind: Hashable, Sendable {
            case appAccountToken(UUID)
            case quantity(Int)
            case promotionalOffer(id: String, SubscriptionOffer.Signature)
            case signedOffer(id: String, compactJWS: String)
            case introductoryOffer(compactJWS: String)
            case winBackOffer(SubscriptionOffer)
            case billingPlanType(SubscriptionInfo.BillingPlanType)
            case seats(Int)
            case multiSeatInvitationSheetSuppressed(Bool)
            case storefrontChange(StorefrontChangeHandler)
            case simulatesAskToBuy(Bool)
            case custom(key: String, CustomValue)
            case test(TestOption)
        }

        /// An option that only purchases with `SKTestSession.buyProduct(identifier:options:)` support.
        package enum TestOption: Hashable, Sendable {
            case purchaseDate(Date, renews: Bool)
            case codeOffer(referenceName: String)
            case promotionalOffer(id: String)
        }

        /// The value of an option that the app defines.
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

        /// Associates the purchase with a customer of the developer's server.
        ///
        /// The transaction contains the token as ``Transaction/appAccountToken``.
        public static func appAccountToken(_ token: UUID) -> PurchaseOption {
            PurchaseOption(.appAccountToken(token))
        }

        /// Sets the number of units to purchase, from 1 to 10; the default is 1.
        ///
        /// Only consumables and non-renewing subscriptions allow a quantity over 1.
        public static func quantity(_ quantity: Int) -> PurchaseOption {
            PurchaseOption(.quantity(quantity))
        }

        /// Applies a promotional offer that the developer's server signed.
        ///
        /// - Parameters:
        ///   - offerID: The identifier of the promotional offer.
        ///   - keyID: The identifier of the developer's key that created the signature.
        ///   - nonce: The UUID that the developer's server generated for this signature.
        ///   - signature: The ECDSA signature, DER-encoded.
        ///   - timestamp: The date of the signature, in milliseconds since 1970.
        public static func promotionalOffer(
            offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
        ) -> PurchaseOption {
            let signature = SubscriptionOffer.Signature(keyID: keyID, nonce: nonce, timestamp: timestamp, signature: signature)
            return PurchaseOption(.promotionalOffer(id: offerID, signature))
        }

        /// Applies a promotional offer that the developer's server signed.
        public static func promotionalOffer(offerID: String, signature: SubscriptionOffer.Signature) -> PurchaseOption {
            PurchaseOption(.promotionalOffer(id: offerID, signature))
        }

        /// Returns the options that apply a promotional offer with a JWS from the developer's server.
        ///
        /// Add all returned options to the purchase.
        public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [PurchaseOption] {
            [PurchaseOption(.signedOffer(id: offerID, compactJWS: compactJWS))]
        }

        /// Overrides the customer's eligibility for the introductory offer with a JWS from the developer's server.
        public static func introductoryOfferEligibility(compactJWS: String) -> PurchaseOption {
            PurchaseOption(.introductoryOffer(compactJWS: compactJWS))
        }

        /// Applies a win-back offer from ``SubscriptionInfo/winBackOffers``.
        public static func winBackOffer(_ offer: SubscriptionOffer) -> PurchaseOption {
            PurchaseOption(.winBackOffer(offer))
        }

        /// Purchases the subscription with a billing plan from ``SubscriptionInfo/pricingTerms``; the default is the upfront plan.
        ///
        /// A purchase with a billing plan that the product does not have throws ``PurchaseError/productUnavailable``.
        public static func billingPlanType(_ type: SubscriptionInfo.BillingPlanType) -> PurchaseOption {
            PurchaseOption(.billingPlanType(type))
        }

        /// Sets the number of seats that the subscription has after the purchase (iOS 27.3 beta).
        ///
        /// A purchase of a product that is not sold in seats throws ``PurchaseError/multiSeatPurchaseDisabled``, and a purchase of fewer seats
        /// than the customer has throws ``PurchaseError/seatReductionNotAllowed``.
        public static func seats(_ targetSeatQuantity: Int) -> PurchaseOption {
            PurchaseOption(.seats(targetSeatQuantity))
        }

        /// Suppresses the sheet in which a purchaser of seats invites members (iOS 27.3 beta); the option has no effect.
        public static func multiSeatInvitationSheetSuppressed(_ isSuppressed: Bool) -> PurchaseOption {
            PurchaseOption(.multiSeatInvitationSheetSuppressed(isSuppressed))
        }

        /// Sets a closure that decides whether the purchase continues if the account's storefront has changed since the product was loaded.
        ///
        /// Without this option, a purchase continues after a storefront change.
        @preconcurrency
        public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> PurchaseOption {
            PurchaseOption(.storefrontChange(StorefrontChangeHandler(shouldContinuePurchase)))
        }

        /// Simulates Ask to Buy for tests: if true, the purchase is pending until a parent approves it.
        public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> PurchaseOption {
            PurchaseOption(.simulatesAskToBuy(simulateAskToBuy))
        }

        /// Adds a custom string to the purchase, which has no effect.
        public static func custom(key: String, value: String) -> PurchaseOption { PurchaseOption(.custom(key: key, .text(value))) }

        /// Adds a custom number to the purchase, which has no effect.
        public static func custom(key: String, value: Double) -> PurchaseOption { PurchaseOption(.custom(key: key, .number(value))) }

        /// Adds a custom Boolean value to the purchase, which has no effect.
        public static func custom(key: String, value: Bool) -> PurchaseOption { PurchaseOption(.custom(key: key, .flag(value))) }

        /// Adds custom data to the purchase, which has no effect.
        public static func custom(key: String, value: Data) -> PurchaseOption { PurchaseOption(.custom(key: key, .data(value))) }
    }
}

extension Product.PurchaseOption: CustomDebugStringConvertible {
    /// The name of the option with its value, but without signatures and custom values.
    public var debugDescription: String {
        switch kind {
        case .appAccountToken(let token): "appAccountToken: \(token)"
        case .quantity(let quantity): "quantity: \(quantity)"
        case .promotionalOffer(let id, _), .signedOffer(let id, _): "promotionalOffer: \(id)"
        case .introductoryOffer: "introductoryOfferEligibility"
        case .winBackOffer(let offer): "winBackOffer: \(offer.id ?? "")"
        case .billingPlanType(let type): "billingPlanType: \(type.rawValue)"
        case .seats(let seats): "seats: \(seats)"
        case .multiSeatInvitationSheetSuppressed(let isSuppressed): "multiSeatInvitationSheetSuppressed: \(isSuppressed)"
        case .storefrontChange: "onStorefrontChange"
        case .simulatesAskToBuy(let asks): "simulatesAskToBuyInSandbox: \(asks)"
        case .custom(let key, _): "custom: \(key)"
        case .test(let option): "\(option)"
        }
    }
}

/// The closure of a purchase option that decides about storefront changes.
///
/// The closure is an object that is compared by identity, because closures are not equatable.
package final class StorefrontChangeHandler: Hashable, Sendable {
    let shouldContinue: @Sendable (Storefront) -> Bool

    init(_ shouldContinue: @escaping @Sendable (Storefront) -> Bool) {
        self.shouldContinue = shouldContinue
    }

    /// Returns whether two references refer to the same object.
    package static func == (one: StorefrontChangeHandler, other: StorefrontChangeHandler) -> Bool { one === other }

    /// Hashes the identity of the object.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
