import ArgumentParser
import Foundation
import PurchaseModel
import PurchaseServer

struct ReconcileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract: "Request and record events that the server did not receive from the App Store.",
        discussion: """
            Requests the notification history and the state of subscriptions with the App Store Server API. The command uses the same \
            configuration as the server, can run while the server runs, and can be repeated. Apps without a key of that API are omitted. Exit \
            code 75 means that the App Store did not answer all requests; the next run continues.
            """
    )

    /// The exit code for an incomplete run (`EX_TEMPFAIL` of sysexits.h).
    private static let incomplete = ExitCode(75)

    @Option(
        help: ArgumentHelp(
            "The date from which to request notifications, such as 2026-01-31 or 2026-01-31T12:00:00Z.", valueName: "date"))
    var since: String?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let since = try since.map { try Timestamp(argument: $0) }
        try await TillrollServer.reportingConfigurationErrors {
            let (server, configuration) = try await options.server()
            var isComplete = true
            let apps = configuration.apps.filter { $0.appStoreServerAPI != nil }
            guard !apps.isEmpty else { throw ConfigurationError.missing(key: "app-store-server-api.issuer-id") }
            for app in apps {
                guard let report = try await server.reconcile(app.bundleID, since: since) else { continue }
                try print(report)
                isComplete = isComplete && report.outcome == .complete
            }
            guard isComplete else { throw Self.incomplete }
        }
    }

    /// Prints a report as JSON, or as lines of text.
    private func print(_ report: ReconciliationReport) throws {
        guard !json else { return try AppCommandOptions.print(report) }
        for notification in report.notifications {
            let fields = [
                "\(notification.signedDate)", notification.kind, notification.uuid, "missing for \(notification.missingSeconds) s",
            ]
            Swift.print(fields.joined(separator: "  "))
        }
        Swift.print("\(report.app): \(report.summary)")
        if let message = report.message { Swift.print(message) }
    }
}
