import Logging
public import PurchaseModel
import ServiceLifecycle

/// Reconciles an app when the server starts, and then at intervals.
struct ReconciliationSchedule: Service {
    /// The pause in seconds after a run that is not complete.
    private static let retrySeconds: Int64 = 300
    /// The minimum pause in seconds between two runs.
    private static let minimumSeconds: Int64 = 60

    let service: ReconciliationService
    let hours: Int
    let timer: any Clock<Duration>

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let outcome = await reconcile()
                let pause = Self.pause(after: outcome, hours: hours)
                // Ignore wake-ups for a minimum pause, to stay below the rate limit of the App Store.
                let quiet = outcome == .rateLimited ? pause : min(pause, .seconds(Self.minimumSeconds))
                do { try await timer.sleep(for: quiet) } catch { return }
                if quiet < pause { await service.wakeup.wait(for: pause - quiet, on: timer) }
            }
        }
    }

    /// Runs one reconciliation; returns nil after a failed run.
    private func reconcile() async -> ReconciliationReport.Outcome? {
        do {
            return try await service.reconcile().outcome
        } catch is CancellationError {
            return nil
        } catch {
            service.logger.warning("reconciliation failed", metadata: ["app": "\(service.app)", "error": "\(error)"])
            return nil
        }
    }

    /// Returns the pause after a run: the configured interval after a complete or refused run, and at most five minutes after any other
    /// run.
    ///
    /// A refused request, such as a request with a wrong key, does not succeed until the operator corrects the configuration.
    static func pause(after outcome: ReconciliationReport.Outcome?, hours: Int) -> Duration {
        let interval = Duration.seconds(Int64(hours) * 3_600)
        return switch outcome {
        case .complete?, .refused?: interval
        case .rateLimited?, .unavailable?, .requestLimit?, .indeterminate?, nil: min(interval, .seconds(retrySeconds))
        }
    }
}

extension PurchaseServer {
    /// Reconciles an app with the App Store: records the notifications and the transactions that the server did not receive.
    ///
    /// A run can last for minutes. Each run stores its progress, so the next run continues a canceled or killed run.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - since: The earliest signature date of the notifications to request, at most 180 days ago; nil for the notifications since the
    ///     last complete run.
    /// - Returns: The report; nil for an app that is not configured.
    /// - Throws: ``ConfigurationError/missing(key:)`` if the app has no key of the App Store Server API, or `StorageError`.
    public func reconcile(_ app: BundleID, since: Timestamp? = nil) async throws -> ReconciliationReport? {
        guard let services = apps[app] else { return nil }
        guard let reconciliation = services.appStore?.reconciliation else {
            throw ConfigurationError.missing(key: "app-store-server-api.issuer-id")
        }
        return try await reconciliation.reconcile(since: since)
    }

    /// The services that reconcile the apps with a configured interval.
    var reconciliationSchedules: [any Service] {
        configuration.apps.compactMap { app in
            guard app.reconciliationHours > 0, let service = apps[app.bundleID]?.appStore?.reconciliation else { return nil }
            return ReconciliationSchedule(service: service, hours: app.reconciliationHours, timer: timer)
        }
    }
}
