package import AppStoreServerAPI
import Logging
import PurchaseModel
package import PurchaseProof
import PurchaseStorage
import ServerProtocol
import Synchronization

/// Finds and records the notifications and other events of the App Store that the server could not receive.
///
/// A run is idempotent and stores its progress after each page. The next run continues a run that ended early.
package final class ReconciliationService: Sendable {
    let connection: AppStoreConnection
    let notifications: NotificationReceiver
    package let signedData: SignedDataVerifier
    let teams: TeamKeeper
    let logger: Logger
    let limits: ReconciliationLimits
    var app: BundleID { notifications.app }
    package var client: AppStoreServerAPIClient { connection.client }
    var environment: AppEnvironment { connection.environment }
    var storage: any PurchaseStorage { notifications.storage }
    var clock: any WallClock { notifications.clock }
    /// Ends the pause between two runs of the schedule.
    var wakeup: Wakeup { notifications.wakeup }
    private let isRunning = Mutex(false)

    /// Creates the service of one app's reconciliations.
    ///
    /// - Parameters:
    ///   - connection: The connection to the App Store.
    ///   - notifications: The receiver, which verifies and records the notifications.
    ///   - signedData: The verifier of signed data in responses of the App Store Server API.
    ///   - teams: Compares the claims of teams with the App Store's.
    ///   - logger: The log.
    ///   - limits: The limits of one run.
    init(
        _ connection: AppStoreConnection, notifications: NotificationReceiver, signedData: SignedDataVerifier, teams: TeamKeeper,
        logger: Logger,
        limits: ReconciliationLimits = ReconciliationLimits()
    ) {
        self.connection = connection
        self.notifications = notifications
        self.signedData = signedData
        self.teams = teams
        self.logger = logger
        self.limits = limits
    }

    /// Requests the notifications since the last complete run, records missing notifications, and looks up the due purchases.
    ///
    /// - Parameter since: The earliest signature date of the notifications to request; nil for the notifications since the last complete
    ///   run.
    /// - Returns: The report; an error of the App Store ends the run, and is part of the report.
    /// - Throws: ``ReconciliationRefusal/running``, `StorageError`, or `CancellationError`.
    func reconcile(since: Timestamp? = nil) async throws -> ReconciliationReport {
        let isFree = isRunning.withLock { isRunning in
            defer { isRunning = true }
            return !isRunning
        }
        guard isFree else { throw ReconciliationRefusal.running }
        defer { isRunning.withLock { $0 = false } }
        var run = ReconciliationRun(service: self, until: clock.now)
        let isFirst = try await storage.read(app) { [environment] in try $0.reconciliation(in: environment) }?.completedAt == nil
        let report = try await FeedContext.$cause.withValue(.reconciliation) { try await run.run(since: since) }
        let level: Logger.Level = report.outcome == .complete ? .info : .warning
        var metadata: Logger.Metadata = ["app": "\(app)", "result": "\(report.summary)"]
        metadata["message"] = report.message.map { "\($0)" }
        connection.metrics.reconciliation(report, isFirst: isFirst)
        logger.log(level: level, "reconciliation ended", metadata: metadata)
        return report
    }
}

/// The limits of one run; the next run continues a run that reached a limit.
struct ReconciliationLimits: Hashable, Sendable {
    /// The maximum number of pages of the notification history.
    var pages = 10_000
    /// The maximum number of requests about purchases.
    var lookups = 10_000
}
