import Hummingbird
package import LocalAppStore
package import Logging
import OpenStoreKit
package import PurchaseModel
import PurchaseProtocol
package import PurchaseServer
import ServiceLifecycle
import Synchronization
import WireClient

/// A store and a server that listen on loopback ports, and the tour's phones in folders of their own.
package final class Stage: Sendable {
    /// The folder of the stage's files.
    package let folder: String
    /// The store.
    package let store: LocalAppStore
    /// The store's base address.
    package let storeURL: HTTPURL
    /// The developer's server.
    package let server: PurchaseServer
    /// The server's base address.
    package let serverURL: HTTPURL
    /// A relay to the server that breaks once, after a given number of bytes.
    package let relay: BreakingRelay
    /// The executable that runs an app in its own process.
    package let appExecutable: String

    /// The tour's customer on the developer's server.
    package let customer: CustomerID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    private let appMemory = Mutex<Int?>(nil)

    /// The peak resident size of apps in their own processes, in megabytes; nil before the first such app.
    package var appPeakMegabytes: Int? { appMemory.withLock { $0 } }

    func noteAppMemory(_ megabytes: Int?) {
        guard let megabytes else { return }
        appMemory.withLock { $0 = max($0 ?? 0, megabytes) }
    }

    private init(
        folder: String,
        store: LocalAppStore,
        storeURL: HTTPURL,
        server: PurchaseServer,
        serverURL: HTTPURL,
        relay: BreakingRelay,
        appExecutable: String
    ) {
        self.folder = folder
        self.store = store
        self.storeURL = storeURL
        self.server = server
        self.serverURL = serverURL
        self.relay = relay
        self.appExecutable = appExecutable
    }

    /// Opens a stage in a folder, runs `body` on it, and closes it.
    ///
    /// - Parameters:
    ///   - folder: An empty folder without other users.
    ///   - appExecutable: The path of `tillroll`, which runs an app that has to be killed.
    package static func with<Result: Sendable>(
        folder: String,
        appExecutable: String,
        logger: Logger,
        play: @Sendable (Stage) async throws -> Result
    ) async throws -> Result {
        let store = try await SampleBackend.store(in: folder, logger: logger)
        func storeApplication(_ onServerRunning: @escaping @Sendable (Int) async -> Void) -> some ApplicationProtocol {
            store.application(hostname: "127.0.0.1", port: 0, onServerRunning: onServerRunning)
        }
        return try await running(storeApplication, logger) { storePort in
            let storeURL = HTTPURL(loopbackPort: storePort)
            for account in StageAccount.all {
                _ = try await WireClient(baseURL: storeURL).call(ControlEndpoints.openAccount, account.request)
            }
            let server = try await SampleBackend.server(for: store, at: storeURL, in: folder, logger: logger)
            func serverApplication(_ onServerRunning: @escaping @Sendable (Int) async -> Void) -> some ApplicationProtocol {
                server.application(hostname: "127.0.0.1", port: 0, onServerRunning: onServerRunning)
            }
            return try await running(serverApplication, logger) { port in
                let serverURL = HTTPURL(loopbackPort: port)
                try await store.setNotificationURL(serverURL.text + ServerEndpoints.notifications.template)
                return try await BreakingRelay.with(upstreamPort: port) { relay in
                    try await play(
                        Stage(
                            folder: folder,
                            store: store,
                            storeURL: storeURL,
                            server: server,
                            serverURL: serverURL,
                            relay: relay,
                            appExecutable: appExecutable
                        )
                    )
                }
            }
        }
    }

    /// Launches the app on a phone; the same name means the same phone.
    func launch(_ phone: StagePhone, over serverURL: HTTPURL? = nil, startsVaultAnew: Bool = false) async throws -> Phone {
        try await Phone(phone, on: self, serverURL: serverURL ?? self.serverURL, startsVaultAnew: startsVaultAnew)
    }

    /// Calls an endpoint of the store's control API.
    func control<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        _ parameters: [String: String] = [:]
    ) async throws -> Response {
        try await WireClient(baseURL: storeURL).call(endpoint, body, parameters: parameters)
    }

    /// The charges of an account so far.
    func charges(_ account: StageAccount) async throws -> [Charge] {
        try await control(ControlEndpoints.charges, Empty(), ["account": account.request.account.rawValue]).charges
    }

    /// Advances the store's time; events that fall due are processed and reported to the server.
    func advance(days: Int64) async throws {
        _ = try await control(ControlEndpoints.advance, AdvanceRequest(seconds: days * 86_400))
        try await store.deliverNotifications()
    }
}
