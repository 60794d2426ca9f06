import PurchaseModel
import Synchronization

/// What the system shows on the queue's behalf.
extension SKPaymentQueue {
    /// Asks the delegate whether a message may be shown now; runs on the callback queue.
    func consider(_ message: StoreMessage) {
        guard message.reason == .priceIncreaseConsent else { return }
        let delegate = state.withLock { $0.delegate }?.value
        if delegate?.paymentQueueShouldShowPriceConsent(self) ?? true {
            show(message)
        } else {
            state.withLock { $0.consents.append(message) }
        }
    }

    func showWaitingConsents() {
        let waiting = state.withLock { state in
            defer { state.consents = [] }
            return state.consents
        }
        for message in waiting { show(message) }
    }

    private func show(_ message: StoreMessage) {
    }

    func redeemCode() {
    }
}
