import ArgumentParser
import Foundation
import PurchaseServer

/// The entry point for production: reads the configuration, and serves until a signal stops the process.
@main
struct TillrollServer: AsyncParsableCommand {
    /// `EX_CONFIG` of sysexits.h: a configuration error.
    private static let misconfigured = ExitCode(78)

    static let configuration = CommandConfiguration(
        commandName: "tillroll-server",
        abstract: "Verifies App Store purchases, remembers them, and delivers what was bought.",
        discussion: """
            Every option may also be given in the environment (TILLROLL_BUNDLE_ID for --bundle-id, and so on) or in a JSON file \
            ({"bundle-id": "…", "verify-receipt": {"sandbox-url": "…"}}); the command line counts before the environment, and \
            that before the file. The app's shared secret is never an option, because other users of the machine can read \
            those: set TILLROLL_SHARED_SECRET, or "shared-secret" in the file.

            A key, a TILLROLL_ variable or a member of the list of products that is not known is an error that names the \
            nearest one, and so is a value of the wrong type, a key that stands twice, the database of another program or of a \
            newer version, and an address that can't be listened on. Variables of tillroll (TILLROLL_STORE, TILLROLL_TOKEN), \
            and those that Kubernetes sets for a service named tillroll-…, are left alone.

            Clients have deadlines and limits, which the keys limits.idle-seconds, limits.head-seconds, limits.body-seconds, \
            limits.exchange-seconds, limits.stall-seconds, limits.bytes-per-second, limits.connections, limits.connections-per-peer, \
            limits.body-bytes and limits.shutdown-seconds change, in the environment (TILLROLL_LIMITS_HEAD_SECONDS) or the file. \
            Behind a reverse proxy every connection comes from one address: set limits.connections-per-peer to what the proxy opens.

            It stops on SIGTERM and SIGINT, after the requests at hand, and after limits.shutdown-seconds (10) whatever they do. It \
            exits with 78 when the configuration has to be changed, and says which key.
            """
    )

    @OptionGroup var options: ServerOptions

    func run() async throws {
        do {
            try await ServerProcess(reader: options.reader()).run()
        } catch let error as ConfigurationError {
            try FileHandle.standardError.write(contentsOf: Data("tillroll-server: \(error)\n".utf8))
            throw Self.misconfigured
        }
    }
}
