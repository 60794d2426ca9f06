import CoreMetrics
import PurchaseModel
import Synchronization

/// Reports the metrics of a server through swift-metrics: to the registry of `/metrics`, and to the backend of the process.
///
/// A program that embeds the server sets that backend with `MetricsSystem.bootstrap` before it creates the server.
final class ServerMetrics: Sendable {
    /// The values that `/metrics` answers with.
    let registry = MetricsRegistry()
    private let factory: any MetricsFactory
    private let openRequests = Mutex(0)
    /// The clock of the dates, which Prometheus compares with its own.
    private let clock: any WallClock

    /// Creates the metrics of a server.
    init(clock: any WallClock) {
        self.clock = clock
        factory = MultiplexMetricsHandler(factories: [registry, MetricsSystem.factory])
    }

    /// Creates the series of an app, so that the first event of each is an increase, and a silent app has a date.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - latestNotification: The date of the newest recorded notification; nil for the start of the server.
    ///   - latestReconciliation: The date of the newest complete reconciliation; nil for the start of the server, or `reconciles` false.
    ///   - reconciles: Whether the server compares the app's data with the App Store's.
    func begin(_ app: BundleID, latestNotification: Timestamp?, latestReconciliation: Timestamp?, reconciles: Bool) {
        for outcome in NotificationOutcome.allCases { add(0, to: .notifications, ["app": app.rawValue, "outcome": outcome.rawValue]) }
        set(.latestNotification, to: seconds(latestNotification ?? clock.now), ["app": app.rawValue])
        guard reconciles else { return }
        for metric in [MetricDefinition.missedNotifications, .missedEvents, .unconfirmedRenewals] {
            add(0, to: metric, ["app": app.rawValue])
        }
        set(.latestReconciliation, to: seconds(latestReconciliation ?? clock.now), ["app": app.rawValue])
    }

    private func seconds(_ date: Timestamp) -> Double { Double(date.milliseconds) / 1_000 }

    /// Adds to a counter.
    func add(_ amount: Int = 1, to metric: MetricDefinition, _ labels: KeyValuePairs<String, String> = [:]) {
        Counter(label: metric.name, dimensions: labels.map { ($0.key, $0.value) }, factory: factory).increment(by: amount)
    }

    /// Sets a gauge.
    func set(_ metric: MetricDefinition, to value: Double, _ labels: KeyValuePairs<String, String> = [:]) {
        Meter(label: metric.name, dimensions: labels.map { ($0.key, $0.value) }, factory: factory).set(value)
    }

    /// Adds a duration to a histogram.
    func observe(_ metric: MetricDefinition, _ duration: Duration, _ labels: KeyValuePairs<String, String> = [:]) {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
        Timer(label: metric.name, dimensions: labels.map { ($0.key, $0.value) }, factory: factory)
            .recordNanoseconds(Int64(exactly: nanoseconds.rounded()) ?? .max)
    }

    // MARK: Events of the server

    /// Counts a delivery to the endpoint of notifications.
    func notification(_ outcome: NotificationOutcome, of app: BundleID) {
        add(to: .notifications, ["app": app.rawValue, "outcome": outcome.rawValue])
        guard outcome == .recorded || outcome == .notUnderstood else { return }
        set(.latestNotification, to: seconds(clock.now), ["app": app.rawValue])
    }

    /// Counts the requests whose response has not begun.
    func countOpenRequests(_ change: Int) {
        // The value is set inside the lock, so that a later number is never replaced by an earlier one.
        openRequests.withLock { open in
            open += change
            set(.openRequests, to: Double(open))
        }
    }

    /// Counts the findings of a reconciliation.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - isFirst: Whether the server has never compared itself with the App Store before: the notifications from before its start are not
    ///     missed ones.
    func reconciliation(_ report: ReconciliationReport, isFirst: Bool) {
        let app = report.app.rawValue
        add(to: .reconciliations, ["app": app, "outcome": report.outcome.rawValue])
        if !isFirst {
            add(report.recorded, to: .missedNotifications, ["app": app])
            add(report.recordedEvents, to: .missedEvents, ["app": app])
        }
        if report.outcome == .complete { set(.latestReconciliation, to: seconds(clock.now), ["app": app]) }
    }

    /// Counts the verification of a proof of purchase.
    func submission(_ proof: String, _ result: String, of app: BundleID) {
        add(to: .submissions, ["app": app.rawValue, "proof": proof, "result": result])
    }
}

/// The outcome of a delivery to the endpoint of notifications.
enum NotificationOutcome: String, Sendable, CaseIterable {
    case recorded
    case duplicate
    /// The notification was recorded, and its meaning is unknown to this version of the server.
    case notUnderstood = "not_understood"
    case refused
    /// The notification was not recorded, and the App Store sends it again.
    case failed

    init(_ accepted: NotificationReceiver.Accepted) {
        self = !accepted.isNew ? .duplicate : accepted.isUnderstood ? .recorded : .notUnderstood
    }
}
