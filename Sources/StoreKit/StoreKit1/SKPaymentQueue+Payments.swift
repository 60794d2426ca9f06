import Foundation
import OpenStoreKit
package import PurchaseModel
import PurchaseProtocol
import Synchronization

/// The addition of payments to the queue.
extension SKPaymentQueue {
    /// Adds a copy of a payment, with its offer.
    func add(_ payment: SKPayment, offer: OfferChoice?, as id: PaymentID = PaymentID(UUID())) {
        let copy = SKPayment(payment.currentValues)
        let values = copy.currentValues
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

    /// Announces a payment that the engine never receives: the transaction is added and then fails.
    private func fail(_ request: PaymentRequest, _ failure: PaymentFailure) {
        state.withLock { _ = $0.local.insert(request.id) }
        let record = request.record(sequence: .max)
        submit(.updated([record]))
        submit(.updated([record.moved(to: .failed(failure))]))
    }

    // MARK: - Promoted purchases

    /// Fetches the product of a promoted purchase, then asks the observers whether to add the payment.
    func describe(_ promotion: PendingDelivery<PromotedPurchase>) {
        service?.describe(promotion) { [weak self] described in
            if let described {
                self?.offer(promotion, SKProduct(described))
            } else {
                // The observers are also asked without a product description; the confirmation sheet fetches the price.
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
            var (isImplemented, shouldAdd) = (false, false)
            notifyObservers { observer in
                guard !shouldAdd else { return }
                state.withLock { $0.lacksPromotionMethod = false }
                shouldAdd = observer.paymentQueue(self, shouldAddStorePayment: payment, for: product)
                if !state.withLock({ $0.lacksPromotionMethod }) { isImplemented = true }
            }
            guard isImplemented else { return state.withLock { $0.promotions.append(promotion) } }
            if shouldAdd {
                // The identifier is the same when a crash repeats the question, so that the store charges the payment once.
                let id = PaymentID("promotion-\(promotion.value.id)-\(service.device)")
                add(payment, offer: promotion.value.offerID.map { OfferChoice(kind: .winBack, id: $0) }, as: id)
            }
            // The engine writes the payment to the journal before the acknowledgment.
            service.acknowledge(promotion.deliveryID)
        }
    }

    /// Records that an observer has no method for promoted purchases, so that the observer was not notified.
    func markPromotionsUnimplemented() {
        state.withLock { $0.lacksPromotionMethod = true }
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
                let continues = delegate?.call { $0.paymentQueue(self, shouldContinue: transaction, in: SKStorefront(storefront)) }
                continuation.resume(returning: continues ?? true)
            }
        }
    }
}
