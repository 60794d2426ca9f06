package import Foundation
package import PurchaseModel
package import Wire

extension DeviceEndpoints {
    /// Charges a payment once, and gives the same reply to every repeated request.
    package static let purchase = Endpoint<PurchaseRequest, PurchaseReply>(.post, "/device/v1/purchases")
    /// Redeems an offer code, as the App Store's sheet for offer codes does.
    package static let redeem = Endpoint<RedeemRequest, PurchaseReply>(.post, "/device/v1/redeem")
}

/// A payment that the customer has confirmed.
package struct PurchaseRequest: Codable, Hashable, Sendable {
    /// The payment identifier; a repeated request has the same identifier.
    package var payment: PaymentID
    /// The identifier of the product to purchase.
    package var productID: ProductID
    /// The quantity, from 1 to 10.
    package var quantity: Int
    /// The identifier of the customer of the developer's server; nil for none.
    package var appAccountToken: CustomerID?
    /// The requested offer; without a request, an eligible customer receives the introductory offer.
    package var offer: OfferChoice?
    /// The requested billing plan; nil for the upfront plan.
    package var billingPlan: BillingPlanType?
    /// The number of seats that the account wants to have after the purchase; nil for a purchase that does not state a number.
    package var seats: Int?
    /// Whether Ask to Buy is simulated, regardless of the account (`simulatesAskToBuyInSandbox`).
    ///
    /// The value has no effect in production, and nil counts as false.
    package var simulatesAskToBuy: Bool?
    /// Whether the reply for an already owned product is its transaction, as in StoreKit 2; nil counts as false.
    ///
    /// Otherwise, the store replies with a free copy of the transaction, or refuses the purchase.
    package var returnsAlreadyOwned: Bool?

    /// The application username if it is not a UUID; nil for none.
    ///
    /// A restore can be limited to the username, and the signature of an offer includes it. No transaction contains it.
    package var applicationUsername: String?
    /// Whether the user agrees to request a parent's approval if Ask to Buy requires it; nil counts as true.
    ///
    /// For false, the reply is ``PurchaseReply/askToBuyConfirmationRequired`` if an approval is required.
    package var confirmsAskToBuy: Bool?

    /// Creates a request.
    package init(
        payment: PaymentID, productID: ProductID, quantity: Int, appAccountToken: CustomerID?, offer: OfferChoice? = nil,
        billingPlan: BillingPlanType? = nil, seats: Int? = nil,
        simulatesAskToBuy: Bool? = nil, returnsAlreadyOwned: Bool? = nil, applicationUsername: String? = nil, confirmsAskToBuy: Bool? = nil
    ) {
        self.payment = payment
        self.productID = productID
        self.quantity = quantity
        self.appAccountToken = appAccountToken
        self.offer = offer
        self.billingPlan = billingPlan
        self.seats = seats
        self.simulatesAskToBuy = simulatesAskToBuy
        self.returnsAlreadyOwned = returnsAlreadyOwned
        self.applicationUsername = applicationUsername
        self.confirmsAskToBuy = confirmsAskToBuy
    }
}

/// The store's reply to a payment.
package enum PurchaseReply: Codable, Hashable, Sendable {
    /// The payment is charged, now or by an earlier request; the reply includes the description of the product's hosted content.
    case purchased(signedTransaction: SignedTransaction, content: HostedContent? = nil)
    /// The payment is deferred until a parent approves it.
    case deferred
    /// A parent's approval is required, and the user has not yet agreed to request it; the store does not record the payment.
    case askToBuyConfirmationRequired
    /// The store refuses the purchase, with the code of an `SKError`, or with ``multiSeatPurchaseDisabled`` or ``seatReductionNotAllowed``.
    case refused(code: Int, message: String)

    /// The code for a purchase of seats of a product that is not sold in seats; only StoreKit 2, whose errors have no codes, has the error.
    package static let multiSeatPurchaseDisabled = 10_001
    /// The code for a purchase of fewer seats than the customer has.
    package static let seatReductionNotAllowed = 10_002
}

/// The offer that a purchase requests.
package struct OfferChoice: Codable, Hashable, Sendable {
    /// The kind of offer; introductory offers need no request.
    package var kind: OfferType
    /// The identifier of the offer, or the reference name of an offer code; nil for an introductory offer.
    package var id: String?
    /// The signature of the developer's server; nil for an offer that needs none.
    ///
    /// Promotional offers need a signature. For an introductory offer, a signature in JWS form determines the customer's eligibility.
    package var signature: OfferSignature?

    /// Creates the choice of an offer.
    package init(kind: OfferType, id: String?, signature: OfferSignature? = nil) {
        self.kind = kind
        self.id = id
        self.signature = signature
    }
}

/// The developer's signature for a subscription offer: the fields of `SKPaymentDiscount`, or a JWS.
package struct OfferSignature: Codable, Hashable, Sendable {
    /// The identifier of the signing key; nil for a signature in JWS form.
    package var keyID: String?
    /// The UUID that the developer's server uses once; nil for a signature in JWS form.
    package var nonce: String?
    /// The date of the signature, in milliseconds since 1970; nil for a signature in JWS form.
    package var timestamp: Int64?
    /// The ECDSA signature of the offer's fields, in DER; nil for a signature in JWS form.
    package var signature: Data?
    /// The signature as a compact JWS; nil for the fields of `SKPaymentDiscount`.
    package var compactJWS: String?

    /// Creates a signature from the fields of `SKPaymentDiscount`.
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

/// A request to redeem an offer code that the customer entered.
package struct RedeemRequest: Codable, Hashable, Sendable {
    /// The payment identifier of the redemption; a repeated request has the same identifier.
    package var payment: PaymentID
    /// The offer code, which is the reference name of an offer in the catalog.
    package var code: String

    /// Creates a request.
    package init(payment: PaymentID, code: String) {
        self.payment = payment
        self.code = code
    }
}
