import Foundation
import Logging
import PurchaseModel
import StoreProtocol

/// Restores the account's purchases: the store creates new transactions, which enter the payment queue.
final class Restore {
    private let queue: PaymentQueue
    private let session: StoreSession
    private let accounts: AccountCalls
    private let runner: WorkRunner
    private let app: AppConnection
    private let logger: Logger
    /// The request of a restore that is not complete; repeating the request creates no more transactions.
    private var openRequest: RestoreRequest?

    init(
        queue: PaymentQueue, session: StoreSession, accounts: AccountCalls, runner: WorkRunner, app: AppConnection, logger: Logger
    ) {
        self.queue = queue
        self.session = session
        self.accounts = accounts
        self.runner = runner
        self.app = app
        self.logger = logger
    }

    /// Restores purchases and announces the end of the restore to the app.
    ///
    /// - Parameter user: The user whose purchases are restored; nil for all purchases.
    func run(_ user: ApplicationUser?) async {
        do throws(PaymentFailure) {
            try await fetch(user)
            app.announce(.restoreFinished)
        } catch {
            app.announce(.restoreFailed(error))
        }
    }

    /// Fetches the restored transactions in pages; each page is written to the journal and announced before the next page is requested.
    private func fetch(_ user: ApplicationUser?) async throws(PaymentFailure) {
        let known = openRequest.flatMap { $0.appAccountToken == user?.token && $0.applicationUsername == user?.username ? $0 : nil }
        var request = known ?? RestoreRequest(requestID: UUID(), appAccountToken: user?.token, applicationUsername: user?.username)
        request.paginationToken = nil
        openRequest = request
        var isFirst = true
        // A transaction that the app finishes while its page waits for the receipt must not return with the page.
        queue.rememberAcknowledgments()
        defer { queue.forgetAcknowledgments() }
        repeat {
            let reply = try await accounts.require(DeviceEndpoints.restore, request)
            let account = queue.machine.owner
            // The receipt is stored first, as with a purchase, because an app reads the receipt as soon as it is notified.
            if isFirst, !reply.transactions.isEmpty, await !session.refreshReceipt() { runner.handle(.receiptNeeded) }
            isFirst = false
            let events = await session.receivedEvents(reply.transactions, logger)
            guard account == queue.machine.owner else {
                throw PaymentFailure(.unknown, "Another account has signed in meanwhile. Try again.")
            }
            do throws(PaymentQueue.Stalled) {
                try queue.apply(queue.withoutAcknowledged(events))
            } catch {
                throw PaymentFailure(.unknown, "The purchases can't be saved on this device. Free some space and try again.")
            }
            request.paginationToken = reply.paginationToken
        } while request.paginationToken != nil
        openRequest = nil
    }

    /// Drops the request of the previous account.
    func ownerChanged() {
        openRequest = nil
    }
}
