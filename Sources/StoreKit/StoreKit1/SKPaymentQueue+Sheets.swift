import OpenStoreKit
import PurchaseModel
import StoreProtocol
import Synchronization

/// The methods that show the sheet in which the user consents to a price increase.
extension SKPaymentQueue {
    /// Shows the price consent sheet for a message of the store, unless the delegate postpones it; runs on the callback queue.
    func showPriceConsent(for message: PendingDelivery<StoreMessage>) {
        guard message.value.reason == .priceIncreaseConsent else { return }
        let shouldShow = callDelegate { $0.paymentQueueShouldShowPriceConsent(self) }
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
