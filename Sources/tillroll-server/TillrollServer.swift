import ArgumentParser
import Foundation
import PurchaseServer
import Release

/// The command `tillroll-server`, which runs the purchase server and manages its database, content, API keys, ledger and reconciliation.
@main
struct TillrollServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tillroll-server",
        abstract: "Verify App Store purchases, record them, and deliver entitlements, credits and content.",
        version: "tillroll-server \(ReleaseVersion.current)",
        subcommands: [
            ServeCommand.self, BackupCommand.self, ContentCommand.self, CopyCommand.self, EventsCommand.self, ImportCommand.self,
            KeysCommand.self, LedgerCommand.self, RebuildCommand.self, ReconcileCommand.self, ReplayCommand.self, RestoreCommand.self,
            SecretsCommand.self, WebhooksCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )

    /// The exit code for an invalid configuration (`EX_CONFIG` of sysexits.h).
    private static let misconfigured = ExitCode(78)

    /// Runs the body of a command, and reports a configuration error on standard error.
    static func reportingConfigurationErrors(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as ConfigurationError {
            try FileHandle.standardError.write(contentsOf: Data("tillroll-server: \(error)\n".utf8))
            if case .postgresUnavailable = error { throw ExitCode(75) }
            throw misconfigured
        }
    }
}

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server until a signal stops it.",
        discussion: """
            Every option is also a variable of the environment (TILLROLL_BUNDLE_ID for --bundle-id) and a key of the \
            configuration file ({"bundle-id": "…", "verify-receipt": {"sandbox-url": "…"}}). The command line takes precedence \
            over the environment, and the environment over the file. The app's shared secret has no option, because other users \
            of the machine can read the command line: set TILLROLL_SHARED_SECRET, or "shared-secret" in the file.

            One server serves several apps with the key "apps" of the file: [{"bundle-id": "…", "products-file": "…"}, …]. A key outside \
            of the list is the default of all apps. TILLROLL_APPS_0_SHARED_SECRET is the shared secret of the first app, and so on.

            The content is in a folder, or in an S3-compatible bucket with the keys content-s3.bucket, content-s3.region, \
            content-s3.endpoint, content-s3.addressing, content-s3.access-key-id, and content-s3.secret-access-key or \
            content-s3.secret-access-key-file. The key content-tokens-per-day (default: 50) limits the download tokens for one customer \
            and one purchase.

            The configuration is refused if it contains an unknown key, TILLROLL_ variable or member of the list of products \
            (the error names the most similar known name), a value of the wrong type, a duplicate key, a database of another program \
            or of a newer version, or an address that can't be bound. Variables of tillroll (those of `store env`) \
            and variables that Kubernetes sets for a service named tillroll-… are ignored.

            Requests have time-outs and limits. The keys limits.idle-seconds, limits.head-seconds, limits.body-seconds, \
            limits.exchange-seconds, limits.stall-seconds, limits.bytes-per-second, limits.connections, limits.connections-per-peer, \
            limits.body-bytes and limits.shutdown-seconds set them, in the environment (TILLROLL_LIMITS_HEAD_SECONDS) or the file. \
            Behind a reverse proxy, all connections have the proxy's address: set limits.connections-per-peer to the proxy's maximum.

            On SIGTERM and SIGINT the server completes current requests within limits.shutdown-seconds (default: 10) and stops. \
            Exit code 78 means that the configuration is invalid; standard error names the key.
            """
    )

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await TillrollServer.reportingConfigurationErrors { try await ServerProcess(reader: options.reader()).run() }
    }
}
