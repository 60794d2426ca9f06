package import Foundation
package import PurchaseModel

extension DeviceEndpoints {
    /// Charges a payment once and answers every repeat of it alike.
    package static let purchase = Endpoint<PurchaseRequest, PurchaseReply>(.post, "/device/v1/purchases")
    /// Redeems an offer code, as the customer does in the store's own sheet.
    package static let redeem = Endpoint<RedeemRequest, PurchaseReply>(.post, "/device/v1/redeem")
}

/// A payment that the customer confirmed.
package struct PurchaseRequest: Codable, Hashable, Sendable {
    /// The payment; a repeat carries the same.
    package var payment: PaymentID
    /// What is bought.
    package var productID: ProductID
    /// How many, from 1 to 10.
    package var quantity: Int
    /// The customer at the developer's own server.
    package var appAccountToken: CustomerID?
    /// The offer that is asked for; nil for none, which still means the introductory offer for who may have it.
    package var offer: OfferChoice?
    /// Whether a parent must approve it, whatever the account says (`simulatesAskToBuyInSandbox`); has no effect in production.
    package var simulatesAskToBuy: Bool?
    /// Whether what the customer holds already is the answer, as in StoreKit 2, instead of a free copy or a refusal.
    package var returnsHeld: Bool?

    /// The application username when it is no UUID and so no token: it narrows restores and belongs to what an offer's signature says,
    /// and comes back in no transaction.
    package var applicationUsername: String?
    /// Whether the user agrees to ask a parent when one must approve it; false has that answered with
    /// ``PurchaseReply/permissionNeeded``, nil counts as true.
    package var agreesToAsk: Bool?

    /// Creates a request.
    package init(
        payment: PaymentID, productID: ProductID, quantity: Int, appAccountToken: CustomerID?, offer: OfferChoice? = nil,
        simulatesAskToBuy: Bool? = nil, returnsHeld: Bool? = nil, applicationUsername: String? = nil, agreesToAsk: Bool? = nil
    ) {
        self.payment = payment
        self.productID = productID
        self.quantity = quantity
        self.appAccountToken = appAccountToken
        self.offer = offer
        self.simulatesAskToBuy = simulatesAskToBuy
        self.returnsHeld = returnsHeld
        self.applicationUsername = applicationUsername
        self.agreesToAsk = agreesToAsk
    }
}

/// What became of a payment; exactly one of the four.
package enum PurchaseReply: Codable, Hashable, Sendable {
    /// It was charged, or had been before; with what the store hosts for the product.
    case purchased(transaction: SignedTransaction, content: HostedContent? = nil)
    /// A parent must approve it first.
    case deferred
    /// A parent must approve it, and the user has not agreed yet to ask one; the store keeps nothing of it.
    case permissionNeeded
    /// The store will not sell; the code is one of `SKError`'s.
    case refused(code: Int, message: String)
}

/// An offer that a purchase asks for.
package struct OfferChoice: Codable, Hashable, Sendable {
    /// Which kind; introductory offers need not be asked for.
    package var kind: OfferType
    /// Which offer: its identifier, or an offer code's reference name.
    package var id: String?
    /// What the developer's server signed: promotional offers need it on a device, and with the introductory offer it decides, in the
    /// newer form, whether the customer may have it.
    package var signature: OfferSignature?

    /// Creates a choice.
    package init(kind: OfferType, id: String?, signature: OfferSignature? = nil) {
        self.kind = kind
        self.id = id
        self.signature = signature
    }
}

/// The developer's word that a customer may have a promotional offer, in the form of 2018 or as a JWS.
package struct OfferSignature: Codable, Hashable, Sendable {
    /// The key's name.
    package var keyID: String?
    /// Used once.
    package var nonce: String?
    /// When it was signed, in milliseconds since 1970.
    package var timestamp: Int64?
    /// ECDSA over the joined fields, in DER.
    package var signature: Data?
    /// The newer form, instead of all of the above.
    package var compactJWS: String?

    /// Creates a signature in the form of 2018.
    package init(keyID: String, nonce: String, timestamp: Int64, signature: Data) {
        self.keyID = keyID
        self.nonce = nonce
        self.timestamp = timestamp
        self.signature = signature
    }

    /// Creates a signature in the newer form.
    package init(compactJWS: String) {
        self.compactJWS = compactJWS
    }
}

/// An offer code that the customer typed.
package struct RedeemRequest: Codable, Hashable, Sendable {
    /// The payment that it becomes; a repeat carries the same.
    package var payment: PaymentID
    /// The code: the reference name of the offer in the catalog.
    package var code: String

    /// Creates a request.
    package init(payment: PaymentID, code: String) {
        self.payment = payment
        self.code = code
    }
}
