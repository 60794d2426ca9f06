import Foundation
import OpenStoreKit
import PurchaseModel
import StoreProtocol

/// The values of a purchase, combined from its options.
struct PurchaseParameters {
    var quantity = 1
    var appAccountToken: UUID?
    var offer: OfferChoice?
    var simulatesAskToBuy = false
    var storefrontChangeHandlers: [StorefrontChangeHandler] = []

    init(_ options: Set<Product.PurchaseOption>) {
        for option in options {
            switch option.kind {
            case .appAccountToken(let token): appAccountToken = token
            case .quantity(let quantity): self.quantity = quantity
            case .promotionalOffer(let id, let signature):
                offer = OfferChoice(kind: .promotional, id: id, signature: OfferSignature(signature))
            case .signedOffer(let id, let compactJWS):
                offer = OfferChoice(kind: .promotional, id: id, signature: OfferSignature(compactJWS: compactJWS))
            case .introductoryOffer(let compactJWS):
                // The introductory offer applies only when the options contain no other offer.
                offer = offer ?? OfferChoice(kind: .introductory, id: nil, signature: OfferSignature(compactJWS: compactJWS))
            case .winBackOffer(let winBack): offer = OfferChoice(kind: .winBack, id: winBack.id)
            case .storefrontChange(let handler): storefrontChangeHandlers.append(handler)
            case .simulatesAskToBuy(let asks): simulatesAskToBuy = asks
            case .custom, .test: break
            }
        }
    }

    /// Creates the payment request for a product; offers are ignored unless the product is an auto-renewable subscription.
    func request(for product: StoreProduct) -> PaymentRequest {
        PaymentRequest(
            id: PaymentID(UUID()),
            productID: product.id,
            quantity: quantity,
            username: appAccountToken?.uuidString.lowercased(),
            product: product,
            offer: product.type == .autoRenewable ? offer : nil,
            simulatesAskToBuy: simulatesAskToBuy
        )
    }
}

extension OfferSignature {
    fileprivate init(_ signature: Product.SubscriptionOffer.Signature) {
        self.init(
            keyID: signature.keyID,
            nonce: signature.nonce.uuidString.lowercased(),
            timestamp: Int64(signature.timestamp),
            signature: signature.signature
        )
    }
}
