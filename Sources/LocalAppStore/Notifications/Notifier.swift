import GRDB
import Logging
import PurchaseModel

/// Sends the outbox to the developer's server, one pass at a time.
///
/// A pass that was interrupted by the end of the process is made again, so a server may get a notification twice; it knows it
/// by its UUID.
actor Notifier {
    /// How many notifications are in memory at a time.
    private static let pageSize = 100

    private let ledger: StoreLedger
    private let retries: NotificationRetries
    private let logger: Logger
    private var newest: Task<Void, any Error>?

    init(ledger: StoreLedger, retries: NotificationRetries, logger: Logger) {
        self.ledger = ledger
        self.retries = retries
        self.logger = logger
    }

    /// Sends everything that is due now and returns when each was answered; passes never overlap.
    ///
    /// When nobody answers, the pass ends there, so that a dead server costs one time-out and not one for each notification;
    /// what was not tried stays due for the next pass.
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
        // What was tried is due no more, or an hour after `now` at the earliest, so each page is a new one.
        while case let page = try await due(at: now), !page.isEmpty {
            for notification in page {
                let url = ledger.apps[notification.bundleID]?.row.notificationURL(in: notification.environment)
                guard let address = url.flatMap(NotificationAddress.init) else { return }
                guard try await send(notification, to: address) else { return }
            }
        }
    }

    private func due(at now: Timestamp) async throws -> [NotificationRow] {
        try await ledger.read { db in
            let sql = "SELECT * FROM notifications WHERE nextAttempt <= ? ORDER BY rowid LIMIT ?"
            return try NotificationRow.fetchAll(db, sql: sql, arguments: [now.milliseconds, Self.pageSize])
        }
    }

    /// Makes one attempt and keeps its outcome; false when nobody answered.
    private func send(_ notification: NotificationRow, to address: NotificationAddress) async throws -> Bool {
        try Task.checkCancellation()
        let answer = await address.post(notification.signedPayload)
        // An attempt that our own shutdown broke off says nothing about the server.
        try Task.checkCancellation()
        if answer != .taken {
            logger.info("a notification was not taken", metadata: ["notificationUUID": "\(notification.uuid)"])
        }
        let retries = retries
        try await ledger.write { db, now in
            var row = notification
            row.delivery.attempted(taken: answer == .taken, at: now, retries: retries)
            try row.update(db)
        }
        return answer != .nothing
    }
}
