import Foundation
import OpenStoreKit
package import PurchaseModel
import StoreProtocol
import Synchronization

/// The methods that add payments to the queue.
extension SKPaymentQueue {
    /// Adds a copy of a payment to the queue.
    ///
    /// - Parameters:
    ///   - payment: The payment to copy.
    ///   - offer: The subscription offer of the payment; nil for the payment's discount, if it has one.
    ///   - id: The identifier of the payment, for which the store charges at most once.
    func add(_ payment: SKPayment, offer: OfferChoice?, as id: PaymentID = PaymentID(UUID())) {
        let values = payment.currentValues
        let copy = SKPayment(values)
        let request = PaymentRequest(
            id: id,
            productID: ProductID(values.identifier),
            quantity: values.quantity,
            username: values.username,
            product: values.product,
            offer: offer ?? values.discount?.choice,
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

    /// Announces a failed transaction for a payment that is not sent to the store.
    private func fail(_ request: PaymentRequest, _ failure: PaymentFailure) {
        state.withLock { _ = $0.local.insert(request.id) }
        let record = PaymentQueueRecord(request, sequence: .max)
        submit(.updated([record]))
        submit(.updated([record.moved(to: .failed(failure))]))
    }

    // MARK: - Promoted purchases

    /// Fetches the product of a promoted in-app purchase, and then asks the observers whether the queue adds the payment.
    func describe(_ promotion: PendingDelivery<PromotedPurchase>) {
        service?.describe(promotion) { [weak self] described in
            if let described {
                self?.offer(promotion, SKProduct(described))
            } else {
                // The store did not describe the product, so the observers receive a product with an identifier only. The confirmation
                // sheet fetches the price.
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
                // After a crash, the observers are asked again. The payment then has the same identifier, so that the store charges it
                // once.
                let id = PaymentID("promotion-\(promotion.value.id)-\(service.device)")
                add(payment, offer: promotion.value.offerID.map { OfferChoice(kind: .winBack, id: $0) }, as: id)
            }
            // The payment engine writes the payment to the journal before it acknowledges the promoted purchase.
            service.acknowledge(promotion.deliveryID)
        }
    }

    /// Records that the observer being asked uses the default implementation of `paymentQueue(_:shouldAddStorePayment:for:)`.
    func markPromotionsUnimplemented() {
        state.withLock { $0.lacksPromotionMethod = true }
    }

    // MARK: - Storefront changes

    /// Asks the app's delegate whether a payment continues after the storefront has changed; returns true if no delegate is set.
    ///
    /// When the delegate returns false, the payment fails with `SKError.Code.storeProductNotAvailable`.
    package func shouldContinue(_ payment: PaymentID, in storefront: PurchaseModel.Storefront) async -> Bool {
        await withCheckedContinuation { continuation in
            callbacks.submit { [self] in
                let transaction = state.withLock { $0.contents[payment] }
                guard let transaction else { return continuation.resume(returning: true) }
                let continues = callDelegate { $0.paymentQueue(self, shouldContinue: transaction, in: SKStorefront(storefront)) }
                continuation.resume(returning: continues ?? true)
            }
        }
    }
}
