import Foundation
import Logging
import PurchaseModel
import Synchronization

/// What the system shows on the queue's behalf.
extension SKPaymentQueue {
    /// Asks the delegate whether a message may be shown now; runs on the callback queue.
    func consider(_ message: Untold<StoreMessage>) {
        guard message.value.reason == .priceIncreaseConsent else { return }
        let maySee = state.withLock { $0.delegate }?.call { $0.paymentQueueShouldShowPriceConsent(self) }
        if maySee ?? true {
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

    /// Asks the user, and tells the store what they said.
    private func show(_ untold: Untold<StoreMessage>) {
        work { engine in
            // Another account's question comes again with that account.
            guard engine.state.owner == untold.matter.account else { return }
            do throws(PaymentFailure) {
                try await engine.askConsent(untold.value)
                engine.submit(.told(untold.matter))
            } catch {
                // Not told: the next launch asks again, because the store does not know what the user has said.
                engine.logger.notice("the store did not take the answer to a higher price", metadata: ["reason": "\(error.message)"])
            }
        }
    }

    /// Asks the user for an offer code and has the store redeem it; the user sees what goes wrong.
    func redeemCode() {
        work { engine in
            do throws(PaymentFailure) {
                try await engine.redeemOfferCode()
            } catch {
                engine.logger.notice("an offer code was not redeemed", metadata: ["reason": "\(error.message)"])
            }
        }
    }
}
