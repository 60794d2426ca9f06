import OpenStoreKit
import PurchaseModel
import PurchaseProtocol
import Synchronization

/// What the system shows on the queue's behalf.
extension SKPaymentQueue {
    /// Asks the delegate whether a message may be shown now; runs on the callback queue.
    func consider(_ message: PendingDelivery<StoreMessage>) {
        guard message.value.reason == .priceIncreaseConsent else { return }
        let maySee = state.withLock { $0.delegate }?.call { $0.paymentQueueShouldShowPriceConsent(self) }
        if maySee ?? true {
            service?.askConsent(message)
        } else {
            state.withLock { $0.consents.append(message) }
        }
    }

    func showWaitingConsents() {
        let waiting = state.withLock { state in
            defer { state.consents = [] }
            return state.consents
        }
        for message in waiting { service?.askConsent(message) }
    }
}
