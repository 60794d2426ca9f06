import Foundation
import LocalAppStore
import OpenStoreKit
import PurchaseModel
public import StoreKit
import StoreProtocol

extension SKTestSession {
    /// Purchases a product outside the app, as in the App Store or with an offer code.
    ///
    /// The app receives the transaction in `Transaction.updates`.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the product.
    ///   - options: The options of the purchase, including the options that StoreKitTest adds.
    /// - Returns: The transaction of the purchase.
    /// - Throws: ``SKTestError`` if the store refuses the purchase. The code is `invalidProductIdentifier` if the configuration contains no
    ///   such product, and `invalidAction` if the purchase is pending a parent's approval.
    @discardableResult
    public func buyProduct(identifier: Product.ID, options: Set<Product.PurchaseOption> = []) async throws -> Transaction {
        let purchase = PurchaseOutsideApp(options)
        let request = BuyRequest(
            account: environment.account, productID: ProductID(identifier), quantity: purchase.quantity,
            appAccountToken: purchase.appAccountToken.map { CustomerID($0) }, offer: purchase.offer,
            billingPlan: purchase.billingPlan, seats: purchase.seats
        )
        let reply: PurchaseReply
        do {
            reply = try await environment.store.buy(request, at: purchase.date, renews: purchase.renews)
        } catch {
            throw SKTestError(error)
        }
        if let error = SKTestError(reply) { throw error }
        guard case .purchased(let signed, _) = reply, let result = await environment.device.transaction(signed) else {
            throw SKTestError(.serviceUnavailable)
        }
        await environment.waitUntilIdle()
        return result.unsafePayloadValue
    }
}

/// The values of a purchase outside the app, combined from its options.
private struct PurchaseOutsideApp {
    var quantity = 1
    var appAccountToken: UUID?
    var offer: OfferChoice?
    /// The billing plan; nil for the upfront plan, and for a billing plan that the store does not know.
    var billingPlan: BillingPlanType?
    var seats: Int?
    var date: Timestamp?
    var renews = true

    init(_ options: Set<Product.PurchaseOption>) {
        for option in options {
            switch option.kind {
            case .appAccountToken(let token): appAccountToken = token
            case .quantity(let quantity): self.quantity = quantity
            case .promotionalOffer(let id, _), .signedOffer(let id, _): offer = OfferChoice(kind: .promotional, id: id)
            case .winBackOffer(let winBack): offer = OfferChoice(kind: .winBack, id: winBack.id)
            case .test(.codeOffer(let name)): offer = OfferChoice(kind: .code, id: name)
            case .test(.promotionalOffer(let id)): offer = OfferChoice(kind: .promotional, id: id)
            case .test(.purchaseDate(let date, let renews)): (self.date, self.renews) = (Timestamp(date), renews)
            case .billingPlanType(let plan): billingPlan = BillingPlanType(rawValue: plan.rawValue)
            case .seats(let number): seats = number
            case .introductoryOffer, .multiSeatInvitationSheetSuppressed, .storefrontChange, .simulatesAskToBuy,
                .custom:
                break
            }
        }
    }
}
