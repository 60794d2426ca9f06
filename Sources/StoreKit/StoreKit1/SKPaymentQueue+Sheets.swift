import OpenStoreKit
import PurchaseModel
import PurchaseProtocol
import Synchronization

/// The price consent sheet of the payment queue.
extension SKPaymentQueue {
    /// Asks the delegate whether a message may be shown now; runs on the callback queue.
    func showPriceConsent(for message: PendingDelivery<StoreMessage>) {
        guard message.value.reason == .priceIncreaseConsent else { return }
        let shouldShow = state.withLock { $0.delegate }?.call { $0.paymentQueueShouldShowPriceConsent(self) }
        if shouldShow ?? true {
            service?.askForPriceConsent(message)
        } else {
            state.withLock { $0.consents.append(message) }
        }
    }

    func showPendingConsents() {
        let waiting = state.withLock { state in
            defer { state.consents = [] }
            return state.consents
        }
        for message in waiting { service?.askForPriceConsent(message) }
    }
}
