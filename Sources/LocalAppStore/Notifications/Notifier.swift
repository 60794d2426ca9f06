import GRDB
import Logging
import PurchaseModel

/// Sends the outbox to the developer's server, one pass at a time.
///
/// A pass that was interrupted by the end of the process is made again, so a server may get a notification twice; it knows it
/// by its UUID.
actor Notifier {
    private let ledger: StoreLedger
    private let retries: NotificationRetries
    private let logger: Logger
    private var newest: Task<Void, any Error>?

    init(ledger: StoreLedger, retries: NotificationRetries, logger: Logger) {
        self.ledger = ledger
        self.retries = retries
        self.logger = logger
    }

    /// Sends everything that is due now and returns when each was answered or failed; passes never overlap.
    func deliver() async throws {
        let previous = newest
        let pass = Task {
            _ = await previous?.result
            try await sendAllDue()
        }
        newest = pass
        try await withTaskCancellationHandler {
            try await pass.value
        } onCancel: {
            pass.cancel()
        }
    }

    private func sendAllDue() async throws {
        let now = ledger.clock.now
        let (url, due) = try await ledger.read { db in
            let sql = "SELECT * FROM notifications WHERE nextAttempt <= ? ORDER BY rowid"
            return (
                try StoreSettings.notificationURL.value(db),
                try NotificationRow.fetchAll(db, sql: sql, arguments: [now.milliseconds])
            )
        }
        guard let address = url.flatMap(NotificationAddress.init) else { return }
        for notification in due {
            try Task.checkCancellation()
            let taken = await address.post(notification.signedPayload)
            // An attempt that our own shutdown broke off says nothing about the server.
            try Task.checkCancellation()
            if !taken {
                logger.info("a notification was not taken", metadata: ["notificationUUID": "\(notification.uuid)"])
            }
            let retries = retries
            try await ledger.write { db, now in
                var row = notification
                row.delivery.attempted(taken: taken, at: now, retries: retries)
                try row.update(db)
            }
        }
    }
}
