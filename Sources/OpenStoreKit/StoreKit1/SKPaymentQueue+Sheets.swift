import Foundation
import Logging
import PurchaseModel
import Synchronization

/// What the system shows on the queue's behalf.
extension SKPaymentQueue {
    /// Asks the delegate whether a message may be shown now; runs on the callback queue.
    func consider(_ message: Untold<StoreMessage>) {
        guard message.value.reason == .priceIncreaseConsent else { return }
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

    /// Asks the user, and tells the store what they said.
    private func show(_ untold: Untold<StoreMessage>) {
        let message = untold.value
        work { engine in
            let reply = try? await engine.session.ask(DeviceEndpoints.products, ProductsRequest(productIDs: [message.productID]))
            let product = reply?.products.first { $0.id == message.productID }
            guard let agrees = await engine.interface.consent(to: PriceConsentSheet(message.productID, product)) else {
                return engine.submit(.told(untold.matter))
            }
            let answer = ManageRequest(transaction: message.originalTransactionID, agrees ? .agree : .disagree)
            do throws(PaymentFailure) {
                _ = try await engine.require(DeviceEndpoints.manage, answer)
                engine.submit(.told(untold.matter))
            } catch {
                // Not told: the next launch asks again, because the store does not know what the user has said.
                engine.logger.notice("the store did not take the answer to a higher price", metadata: ["reason": "\(error.message)"])
            }
        }
    }

    /// Asks the user for an offer code, and the store what it is worth.
    func redeemCode() {
        work { engine in
            guard let code = await engine.interface.offerCode() else { return }
            do throws(PaymentFailure) {
                let reply = try await engine.require(DeviceEndpoints.redeem, RedeemRequest(payment: PaymentID(UUID()), code: code))
                if case .refused(_, let message) = reply {
                    await engine.interface.refused(offerCode: code, because: message)
                    engine.logger.notice("the store refused an offer code", metadata: ["reason": "\(message)"])
                }
                // What was bought is among what the device has not finished.
                engine.submit(.retry)
            } catch {
                if error != PaymentFailure(.paymentCancelled) { await engine.interface.refused(offerCode: code, because: error.message) }
                engine.logger.notice("an offer code could not be redeemed", metadata: ["reason": "\(error.message)"])
            }
        }
    }
}
