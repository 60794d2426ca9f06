package import Foundation
package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Reads the offers in the signed data of the customer's subscriptions.
    package static let offers = Endpoint<Empty, OffersReply>(.get, "/v1/customer/offers")
    /// Signs a promotional offer for the customer.
    package static let promotionalOffer = Endpoint<PromotionalOfferRequest, PromotionalOfferReply>(.post, "/v1/customer/offers/promotional")
    /// Signs the customer's eligibility for the introductory offer of a product.
    package static let introductoryOffer = Endpoint<IntroductoryOfferRequest, IntroductoryOfferReply>(
        .post, "/v1/customer/offers/introductory")
}

/// The offers of a customer.
package struct OffersReply: Codable, Hashable, Sendable {
    /// The win-back offers of one subscription, which need no signature.
    package struct WinBack: Codable, Hashable, Sendable {
        package var productID: ProductID
        package var originalTransactionID: TransactionID
        /// The identifiers of the offers that the App Store states in the renewal info, best first.
        package var offerIDs: [String]

        package init(productID: ProductID, originalTransactionID: TransactionID, offerIDs: [String]) {
            self.productID = productID
            self.originalTransactionID = originalTransactionID
            self.offerIDs = offerIDs
        }
    }

    /// The win-back offers, one element for each subscription.
    package var winBack: [WinBack]
    /// The subscription groups in which the customer has used an introductory offer, sorted.
    package var usedIntroductoryOffers: [SubscriptionGroupID]

    package init(winBack: [WinBack], usedIntroductoryOffers: [SubscriptionGroupID]) {
        self.winBack = winBack
        self.usedIntroductoryOffers = usedIntroductoryOffers
    }
}

package struct PromotionalOfferRequest: Codable, Hashable, Sendable {
    /// The format of the signature.
    package enum Format: String, Codable, Hashable, Sendable, CaseIterable {
        /// A JWS, for StoreKit's purchase option with a compact JWS.
        case jws
        /// The original format, for `SKPaymentDiscount` and `promotionalOffer(offerID:keyID:nonce:signature:timestamp:)`.
        case signature
    }

    package var productID: ProductID
    /// The offer's identifier in App Store Connect.
    package var offerID: String
    /// The format of the signature; nil for ``Format/jws``.
    package var format: Format?
    /// The `applicationUsername` of a StoreKit 1 payment, which a signature in the original format covers; nil for the customer's UUID.
    package var applicationUsername: String?

    package init(productID: ProductID, offerID: String, format: Format? = nil, applicationUsername: String? = nil) {
        self.productID = productID
        self.offerID = offerID
        self.format = format
        self.applicationUsername = applicationUsername
    }
}

/// A promotional offer, signed in the requested format.
package struct PromotionalOfferReply: Codable, Hashable, Sendable {
    /// The signature in the original format, with the values that the app passes to StoreKit.
    package struct Signature: Codable, Hashable, Sendable {
        /// The identifier of the signing key.
        package var keyID: String
        /// The nonce, a UUID in lower case.
        package var nonce: UUID
        /// The time of signing in milliseconds since 1970.
        package var timestamp: Int64
        /// The signature: DER in base64.
        package var signature: Data
        /// The token that the signature covers, and that the purchase must have: `appAccountToken` or `applicationUsername`.
        package var token: String

        package init(keyID: String, nonce: UUID, timestamp: Int64, signature: Data, token: String) {
            self.keyID = keyID
            self.nonce = nonce
            self.timestamp = timestamp
            self.signature = signature
            self.token = token
        }
    }

    /// The compact JWS; nil for a signature in the original format.
    package var compactJWS: String?
    /// The signature in the original format; nil for a JWS.
    package var signature: Signature?

    package init(compactJWS: String? = nil, signature: Signature? = nil) {
        self.compactJWS = compactJWS
        self.signature = signature
    }
}

/// A request to sign a customer's eligibility for an introductory offer.
package struct IntroductoryOfferRequest: Codable, Hashable, Sendable {
    package var productID: ProductID
    /// The eligibility according to the backend; nil for the eligibility according to the customer's transactions in the subscription
    /// group.
    package var isEligible: Bool?

    package init(productID: ProductID, isEligible: Bool? = nil) {
        self.productID = productID
        self.isEligible = isEligible
    }
}

/// The signed eligibility for an introductory offer.
package struct IntroductoryOfferReply: Codable, Hashable, Sendable {
    /// Whether the JWS allows the offer.
    package var isEligible: Bool
    /// The compact JWS for StoreKit's `introductoryOfferEligibility(compactJWS:)`.
    package var compactJWS: String

    package init(isEligible: Bool, compactJWS: String) {
        self.isEligible = isEligible
        self.compactJWS = compactJWS
    }
}
