import Foundation
import PurchaseModel
import PurchaseProtocol

extension PaymentEngine {
    /// Starts a restore, or joins the running one; a request with another application username is restored afterwards.
    func startRestore(_ customer: ApplicationUser?) {
        if let restoring {
            if let narrow = restoring.customer, narrow != customer, !waitingRestores.contains(customer) { waitingRestores.append(customer) }
            return
        }
        restoring = (
            Task { [weak self] in await SignInReason.$current.withValue(.restore) { await self?.restore(customer) } }, customer
        )
    }

    private func restore(_ customer: ApplicationUser?) async {
        let ending: Announcement
        do throws(PaymentFailure) {
            try await takeRestored(customer)
            ending = .restoreFinished
        } catch {
            ending = .restoreFailed(error)
        }
        app.announce(ending)
        restoring = nil
        if !waitingRestores.isEmpty, !ended { startRestore(waitingRestores.removeFirst()) }
    }

    /// Fetches page after page; each page is in the journal and delivered to the app before the next is requested.
    private func takeRestored(_ customer: ApplicationUser?) async throws(PaymentFailure) {
        let known = restoreRequest.flatMap {
            $0.appAccountToken == customer?.token && $0.applicationUsername == customer?.username ? $0 : nil
        }
        var request =
            known ?? RestoreRequest(request: UUID(), appAccountToken: customer?.token, applicationUsername: customer?.username)
        request.after = nil
        restoreRequest = request
        var isFirst = true
        repeat {
            let reply = try await require(DeviceEndpoints.restore, request)
            let account = machine.owner
            // The receipt is stored first, as with a purchase, because an app reads the receipt as soon as it is notified.
            if isFirst, !reply.transactions.isEmpty, await !session.refreshReceipt() {
                wantsReceipt = true
                startPass()
            }
            isFirst = false
            let events = await held(reply.transactions)
            guard account == machine.owner else {
                throw PaymentFailure(.unknown, "Another account has signed in meanwhile.")
            }
            do throws(Stalled) {
                try take(all: events)
            } catch {
                throw PaymentFailure(.unknown, "The purchases can't be kept on this device.")
            }
            request.after = reply.next
        } while request.after != nil
        restoreRequest = nil
    }
}
