package import Foundation
package import PurchaseModel

extension DeviceEndpoints {
    /// Charges a payment once, and responds to every repeated request in the same way.
    package static let purchase = Endpoint<PurchaseRequest, PurchaseReply>(.post, "/device/v1/purchases")
    /// Redeems an offer code, as the App Store's sheet does.
    package static let redeem = Endpoint<RedeemRequest, PurchaseReply>(.post, "/device/v1/redeem")
}

/// A payment that the customer has confirmed.
package struct PurchaseRequest: Codable, Hashable, Sendable {
    /// The payment identifier; a repeated request has the same identifier.
    package var payment: PaymentID
    /// The product to purchase.
    package var productID: ProductID
    /// The quantity, from 1 to 10.
    package var quantity: Int
    /// The customer of the developer's server.
    package var appAccountToken: CustomerID?
    /// The requested offer; nil for none, where an eligible customer still receives the introductory offer.
    package var offer: OfferChoice?
    /// Whether Ask to Buy is simulated, regardless of the account (`simulatesAskToBuyInSandbox`); no effect in production.
    package var simulatesAskToBuy: Bool?
    /// Whether the reply for an already owned product is its transaction, as in StoreKit 2, instead of a free copy or a refusal.
    package var returnsAlreadyOwned: Bool?

    /// The application username when it is not a UUID, and so not an app account token.
    ///
    /// The username limits restores and is part of the signed fields of an offer; no transaction contains it.
    package var applicationUsername: String?
    /// Whether the user agrees to send an Ask to Buy request when approval is required.
    ///
    /// The reply to false is ``PurchaseReply/askToBuyConfirmationRequired``; nil counts as true.
    package var confirmsAskToBuy: Bool?

    /// Creates a request.
    package init(
        payment: PaymentID, productID: ProductID, quantity: Int, appAccountToken: CustomerID?, offer: OfferChoice? = nil,
        simulatesAskToBuy: Bool? = nil, returnsAlreadyOwned: Bool? = nil, applicationUsername: String? = nil, confirmsAskToBuy: Bool? = nil
    ) {
        self.payment = payment
        self.productID = productID
        self.quantity = quantity
        self.appAccountToken = appAccountToken
        self.offer = offer
        self.simulatesAskToBuy = simulatesAskToBuy
        self.returnsAlreadyOwned = returnsAlreadyOwned
        self.applicationUsername = applicationUsername
        self.confirmsAskToBuy = confirmsAskToBuy
    }
}

/// The result of a payment; exactly one of four.
package enum PurchaseReply: Codable, Hashable, Sendable {
    /// The payment was charged, now or before; the reply includes the hosted content of the product.
    case purchased(signedTransaction: SignedTransaction, content: HostedContent? = nil)
    /// The payment is deferred until a parent approves it.
    case deferred
    /// A parent's approval is required, and the user has not yet agreed to request it; the store does not record the payment.
    case askToBuyConfirmationRequired
    /// The store refuses the purchase; the code is an `SKError` code.
    case refused(code: Int, message: String)
}

/// The offer that a purchase requests.
package struct OfferChoice: Codable, Hashable, Sendable {
    /// The kind of offer; introductory offers apply without a request.
    package var kind: OfferType
    /// The identifier of the offer, or the reference name of an offer code.
    package var id: String?
    /// The signature of the developer's server.
    ///
    /// A device needs a signature for promotional offers. For an introductory offer, a signature in JWS form determines the customer's
    /// eligibility.
    package var signature: OfferSignature?

    /// Creates a choice.
    package init(kind: OfferType, id: String?, signature: OfferSignature? = nil) {
        self.kind = kind
        self.id = id
        self.signature = signature
    }
}

/// The developer's signature for a promotional offer, in the form of 2018 or as a JWS.
package struct OfferSignature: Codable, Hashable, Sendable {
    /// The identifier of the key.
    package var keyID: String?
    /// The nonce, which is used once.
    package var nonce: String?
    /// The signature date, in milliseconds since 1970.
    package var timestamp: Int64?
    /// The ECDSA signature of the joined fields, in DER.
    package var signature: Data?
    /// The signature as a JWS, which replaces the members above.
    package var compactJWS: String?

    /// Creates a signature in the form of 2018.
    package init(keyID: String, nonce: String, timestamp: Int64, signature: Data) {
        self.keyID = keyID
        self.nonce = nonce
        self.timestamp = timestamp
        self.signature = signature
    }

    /// Creates a signature in JWS form.
    package init(compactJWS: String) {
        self.compactJWS = compactJWS
    }
}

/// An offer code that the customer entered.
package struct RedeemRequest: Codable, Hashable, Sendable {
    /// The payment identifier of the redemption; a repeated request has the same identifier.
    package var payment: PaymentID
    /// The code: the reference name of the offer in the catalog.
    package var code: String

    /// Creates a request.
    package init(payment: PaymentID, code: String) {
        self.payment = payment
        self.code = code
    }
}
