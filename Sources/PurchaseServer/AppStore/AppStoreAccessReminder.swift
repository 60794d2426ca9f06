import Logging
import PurchaseModel
import ServiceLifecycle

extension PurchaseServerConfiguration {
    /// The apps without access to the App Store; empty unless the environment is production.
    var appsWithoutAppStore: [BundleID] {
        guard environment == .production else { return [] }
        return apps.filter { app in
            app.appStoreServerAPI == nil && (app.sharedSecret?.isEmpty != false || app.receiptConfirmation == .off)
        }.map(\.bundleID)
    }
}

/// Logs a warning about each app without access to the App Store every six hours.
struct AppStoreAccessReminder: Service {
    /// The pause between two messages in seconds.
    static let pauseSeconds: Int64 = 6 * 3_600

    let apps: [BundleID]
    let timer: any Clock<Duration>
    let logger: Logger

    /// The warnings, one for each app without access.
    var warnings: [OperatorWarning] {
        apps.map { OperatorWarning(code: "app-store.not-configured", app: $0, message: Self.message) }
    }

    /// The text of the warnings: the consequences, and the next step for the operator.
    static let message = """
        The server can't request purchases from the App Store. If the notification of a renewal, a refund or another change is lost, the \
        server does not find the change later: after a lost renewal, the customer's subscription ends. Set app-store-server-api.issuer-id, \
        app-store-server-api.key-id and app-store-server-api.private-key-file. Or set shared-secret, and confirm-receipts to soft or hard: \
        then the app's next receipt shows a renewal.
        """

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await pause()) != nil { log() }
        }
    }

    func log() {
        for app in apps { logger.error("\(Self.message)", metadata: ["app": "\(app)"]) }
    }

    private func pause() async throws {
        try await timer.sleep(for: .seconds(Self.pauseSeconds))
    }
}
