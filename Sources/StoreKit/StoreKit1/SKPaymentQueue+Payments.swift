import Foundation
import OpenStoreKit
package import PurchaseModel
import PurchaseProtocol
import Synchronization

/// Payments on their way into the queue.
extension SKPaymentQueue {
    /// Adds a copy of a payment with the offer that goes with it.
    func add(_ payment: SKPayment, offer: OfferChoice?, as id: PaymentID = PaymentID(UUID())) {
        let copy = SKPayment(payment.shown)
        let values = copy.shown
        let request = PaymentRequest(
            id: id,
            productID: ProductID(values.identifier),
            quantity: values.quantity,
            username: values.username,
            product: values.product,
            offer: offer,
            simulatesAskToBuy: values.simulatesAskToBuy
        )
        let service = state.withLock { state in
            state.payments[request.id] = copy
            return state.service
        }
        guard let service else { return fail(request, .noDevice) }
        guard values.requestData == nil else { return fail(request, PaymentFailure(.unauthorizedRequestData)) }
        service.add(request)
    }

    /// Announces a payment that never reaches the engine as any other: it begins, and it fails.
    private func fail(_ request: PaymentRequest, _ failure: PaymentFailure) {
        state.withLock { _ = $0.local.insert(request.id) }
        let record = request.record(sequence: .max)
        submit(.updated([record]))
        submit(.updated([record.moved(to: .failed(failure))]))
    }

    // MARK: - Promoted purchases

    /// Fetches the description of what was chosen, then asks the observers.
    func describe(_ promotion: PendingDelivery<PromotedPurchase>) {
        service?.describe(promotion) { [weak self] described in
            if let described {
                self?.offer(promotion, SKProduct(described))
            } else {
                // Without a network the app is asked all the same; the price comes with the confirmation.
                let product = SKProduct()
                product.setValue(promotion.value.productID.rawValue, forKey: "productIdentifier")
                self?.offer(promotion, product)
            }
        }
    }

    private func offer(_ promotion: PendingDelivery<PromotedPurchase>, _ product: SKProduct) {
        callbacks.submit { [weak self] in
            guard let self, let service else { return }
            let payment = SKPayment(product: product)
            var (isAsked, isWanted) = (false, false)
            callAll { observer in
                guard !isWanted else { return }
                state.withLock { $0.lacksPromotions = false }
                isWanted = observer.paymentQueue(self, shouldAddStorePayment: payment, for: product)
                if !state.withLock({ $0.lacksPromotions }) { isAsked = true }
            }
            guard isAsked else { return state.withLock { $0.promotions.append(promotion) } }
            if isWanted {
                // Asked again after a crash, the app says yes again: the same payment, which is charged once.
                let id = PaymentID("promotion-\(promotion.value.id)-\(service.device)")
                add(payment, offer: promotion.value.offerID.map { OfferChoice(kind: .winBack, id: $0) }, as: id)
            }
            // The payment is written down before this is.
            service.acknowledge(promotion.deliveryID)
        }
    }

    /// Records that an observer has no method for promoted purchases, so that the observer was not notified.
    func lacksPromotions() {
        state.withLock { $0.lacksPromotions = true }
    }

    // MARK: - Storefront changes

    /// Asks the app's delegate whether a payment continues after the storefront has changed; true when there is no delegate.
    ///
    /// When the delegate returns false, the payment fails with `SKError.Code.storeProductNotAvailable`.
    package func shouldContinue(_ payment: PaymentID, in storefront: PurchaseModel.Storefront) async -> Bool {
        await withCheckedContinuation { continuation in
            callbacks.submit { [self] in
                let (delegate, transaction) = state.withLock { ($0.delegate, $0.contents[payment]) }
                guard let transaction else { return continuation.resume(returning: true) }
                let goesOn = delegate?.call { $0.paymentQueue(self, shouldContinue: transaction, in: SKStorefront(storefront)) }
                continuation.resume(returning: goesOn ?? true)
            }
        }
    }
}
