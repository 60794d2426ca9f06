import Logging
import PurchaseModel
import ServiceLifecycle

extension PurchaseServerConfiguration {
    /// The apps of a production server about whose purchases it can't ask the App Store.
    var appsWithoutAppStore: [BundleID] {
        guard environment == .production else { return [] }
        return apps.filter { app in
            app.appStoreServerAPI == nil && (app.sharedSecret?.isEmpty != false || app.receiptConfirmation == .off)
        }.map(\.bundleID)
    }
}

/// Repeats in the log what a server can't find out, because it can't ask the App Store.
struct AppStoreAccessReminder: Service {
    /// The pause between two messages in seconds.
    static let pauseSeconds: Int64 = 6 * 3_600

    let apps: [BundleID]
    let timer: any Clock<Duration>
    let logger: Logger

    /// The warning about each app.
    var warnings: [OperatorWarning] {
        apps.map { OperatorWarning(code: "app-store.not-configured", app: $0, message: Self.message) }
    }

    /// What the server can't find out, and what the operator can do.
    static let message = """
        The server can't ask the App Store about purchases. It can't find out a renewal, a refund or a change of a subscription whose \
        notification is lost: a lost renewal stays lost, and the customer's subscription ends. Set app-store-server-api.issuer-id, \
        app-store-server-api.key-id and app-store-server-api.private-key-file. Or set shared-secret, and confirm-receipts to soft or hard, so \
        that a receipt that the app sends again shows a renewal.
        """

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await pause()) != nil { log() }
        }
    }

    /// Logs the message once for each app.
    func log() {
        for app in apps { logger.error("\(Self.message)", metadata: ["app": "\(app)"]) }
    }

    private func pause() async throws {
        try await timer.sleep(for: .seconds(Self.pauseSeconds))
    }
}
