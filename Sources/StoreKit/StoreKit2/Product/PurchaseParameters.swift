import Foundation
import OpenStoreKit
import PurchaseModel
import StoreProtocol

/// The values of a purchase, combined from its options.
struct PurchaseParameters {
    var quantity = 1
    var appAccountToken: UUID?
    var offer: OfferChoice?
    var billingPlan: Product.SubscriptionInfo.BillingPlanType?
    var seats: Int?
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
            case .billingPlanType(let plan): billingPlan = plan
            case .seats(let number): seats = number
            case .storefrontChange(let handler): storefrontChangeHandlers.append(handler)
            case .simulatesAskToBuy(let asks): simulatesAskToBuy = asks
            case .multiSeatInvitationSheetSuppressed, .custom, .test: break
            }
        }
    }

    /// Creates the payment request for a product; offers and billing plans are ignored unless the product is an auto-renewable subscription.
    ///
    /// - Throws: ``Product/PurchaseError`` for seats of a product that is not sold in seats, and for an unknown billing plan.
    func request(for product: StoreProduct) throws(Product.PurchaseError) -> PaymentRequest {
        guard seats == nil || product.subscription?.seats != nil else { throw .multiSeatPurchaseDisabled }
        if let seats, !(1...SeatPricing.seatLimit).contains(seats) { throw .invalidQuantity }
        let isSubscription = product.type == .autoRenewable
        return PaymentRequest(
            id: PaymentID(UUID()),
            productID: product.id,
            quantity: quantity,
            username: appAccountToken?.uuidString.lowercased(),
            product: product,
            offer: isSubscription ? offer : nil,
            billingPlan: try isSubscription ? requestedPlan() : nil,
            seats: seats,
            simulatesAskToBuy: simulatesAskToBuy
        )
    }

    /// Returns the billing plan of the payment request; nil for the upfront plan.
    private func requestedPlan() throws(Product.PurchaseError) -> BillingPlanType? {
        guard let billingPlan else { return nil }
        guard let plan = BillingPlanType(rawValue: billingPlan.rawValue) else { throw .productUnavailable }
        return plan == .billedUpfront ? nil : plan
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
