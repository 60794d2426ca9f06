package import AppStoreServerAPI
import Logging
import PurchaseModel
package import PurchaseProof
import PurchaseStorage
import Synchronization

/// Finds and records the notifications and other events of the App Store that the server could not receive.
///
/// A run is idempotent and stores its progress after each page. The next run continues a run that ended early.
package final class ReconciliationService: Sendable {
    let app: BundleID
    let environment: AppEnvironment
    package let client: AppStoreServerAPIClient
    let storage: any PurchaseStorage
    let notifications: NotificationService
    package let signedData: SignedDataVerifier
    let recorder: PurchaseRecorder
    let clock: any WallClock
    let logger: Logger
    let limits: ReconciliationLimits
    /// Detects the end of an outage of the App Store Server API.
    let appStoreOutages: OutageMonitor
    /// Ends the pause between two runs of the schedule.
    var wakeup: Wakeup { notifications.wakeup }
    private let isRunning = Mutex(false)

    /// Creates the service of an app.
    init(
        app: BundleID, environment: AppEnvironment, client: AppStoreServerAPIClient, storage: any PurchaseStorage,
        notifications: NotificationService, recorder: PurchaseRecorder, clock: any WallClock, logger: Logger,
        appStoreOutages: OutageMonitor = OutageMonitor(), limits: ReconciliationLimits = ReconciliationLimits(),
        signedData: SignedDataVerifier? = nil
    ) {
        self.app = app
        self.environment = environment
        self.client = client
        self.storage = storage
        self.notifications = notifications
        self.signedData = signedData ?? notifications.signedData
        self.recorder = recorder
        self.clock = clock
        self.logger = logger
        self.appStoreOutages = appStoreOutages
        self.limits = limits
    }

    /// Requests the notifications since the last complete run, records the missing ones, and looks up the due purchases.
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
        let report = try await run.run(since: since)
        let level: Logger.Level = report.outcome == .complete ? .info : .warning
        var metadata: Logger.Metadata = ["app": "\(app)", "result": "\(report.summary)"]
        metadata["message"] = report.message.map { "\($0)" }
        logger.log(level: level, "reconciliation ended", metadata: metadata)
        return report
    }
}

/// The limits of one run, at which the next run continues.
struct ReconciliationLimits: Hashable, Sendable {
    /// The maximum number of pages of the notification history.
    var pages = 10_000
    /// The maximum number of requests about purchases.
    var lookups = 10_000
}
