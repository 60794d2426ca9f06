import Foundation
import PurchaseModel
import PurchaseProtocol

extension PaymentEngine {
    /// Starts a restore, or joins the running restore if it includes the requested purchases.
    ///
    /// Otherwise the request waits for the end of the running restore.
    ///
    /// - Parameter user: The user whose purchases are restored; nil for all purchases.
    func startRestore(_ user: ApplicationUser?) {
        if let restoring {
            if let narrow = restoring.user, narrow != user, !waitingRestores.contains(user) { waitingRestores.append(user) }
            return
        }
        restoring = (
            Task { [weak self] in await SignInReason.$current.withValue(.restore) { await self?.restore(user) } }, user
        )
    }

    private func restore(_ user: ApplicationUser?) async {
        let ending: Announcement
        do throws(PaymentFailure) {
            try await fetchRestored(user)
            ending = .restoreFinished
        } catch {
            ending = .restoreFailed(error)
        }
        app.announce(ending)
        restoring = nil
        if !waitingRestores.isEmpty, !hasEnded { startRestore(waitingRestores.removeFirst()) }
    }

    /// Fetches the restored transactions in pages; each page is written to the journal and announced before the next page is requested.
    private func fetchRestored(_ user: ApplicationUser?) async throws(PaymentFailure) {
        let known = restoreRequest.flatMap {
            $0.appAccountToken == user?.token && $0.applicationUsername == user?.username ? $0 : nil
        }
        var request =
            known ?? RestoreRequest(requestID: UUID(), appAccountToken: user?.token, applicationUsername: user?.username)
        request.paginationToken = nil
        restoreRequest = request
        var isFirst = true
        repeat {
            let reply = try await require(DeviceEndpoints.restore, request)
            let account = machine.owner
            // The receipt is stored first, as with a purchase, because an app reads the receipt as soon as it is notified.
            if isFirst, !reply.transactions.isEmpty, await !session.refreshReceipt() {
                needsReceipt = true
                startPass()
            }
            isFirst = false
            let events = await receivedEvents(reply.transactions)
            guard account == machine.owner else {
                throw PaymentFailure(.unknown, "Another account has signed in meanwhile. Try again.")
            }
            do throws(Stalled) {
                try apply(all: events)
            } catch {
                throw PaymentFailure(.unknown, "The purchases can't be saved on this device. Free some space and try again.")
            }
            request.paginationToken = reply.paginationToken
        } while request.paginationToken != nil
        restoreRequest = nil
    }
}
