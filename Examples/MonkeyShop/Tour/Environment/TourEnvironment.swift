import Hummingbird
package import LocalAppStore
package import Logging
import MonkeyShopBackend
import OpenStoreKit
package import PurchaseKit
package import PurchaseModel
package import PurchaseServer
import ServerProtocol
import ServiceLifecycle
import StoreProtocol
import Synchronization
import Wire
import WireClient

/// The environment in which the tour's steps run: a store and a server on loopback ports, and a folder for the phones' files.
package final class TourEnvironment: Sendable {
    /// The folder with all files of the tour.
    package let folder: String
    /// The local App Store.
    package let store: LocalAppStore
    /// The store's base address.
    package let storeURL: HTTPURL
    /// The developer's server.
    package let server: PurchaseServer
    /// The server's base address.
    package let serverURL: HTTPURL
    /// A relay to the server, through which a step can interrupt a connection.
    package let relay: BreakingRelay
    /// The path of the `monkeyshop` executable, which runs the app in a separate process.
    package let appExecutable: String
    /// The credentials of the app and its customer, which the app's backend would issue when the user signs in.
    package let credentials: ServerCredentials
    /// The log of the store, the server and the devices.
    let logger: Logger

    /// The tour's customer on the developer's server.
    package let customer = SampleBackend.customer

    private let appMemory = Mutex<Int?>(nil)

    /// The largest peak memory of the app processes that were killed so far, in megabytes; nil before the first one.
    package var appPeakMegabytes: Int? { appMemory.withLock { $0 } }

    func recordAppMemory(_ megabytes: Int?) {
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
        appExecutable: String,
        credentials: ServerCredentials,
        logger: Logger
    ) {
        self.credentials = credentials
        self.folder = folder
        self.store = store
        self.storeURL = storeURL
        self.server = server
        self.serverURL = serverURL
        self.relay = relay
        self.appExecutable = appExecutable
        self.logger = logger
    }

    /// Starts a store and a server with their files in a folder, runs `play`, and stops both.
    ///
    /// - Parameters:
    ///   - folder: An empty folder that no other process uses.
    ///   - appExecutable: The path of the `monkeyshop` executable, which runs the app in a separate process.
    ///   - logger: The log of the store, the server and the devices.
    package static func with<Result: Sendable>(
        folder: String,
        appExecutable: String,
        logger: Logger,
        play: @Sendable (TourEnvironment) async throws -> Result
    ) async throws -> Result {
        let store = try await SampleBackend.store(in: folder, logger: logger)
        func storeApplication(_ onServerRunning: @escaping @Sendable (Int) async -> Void) -> some ApplicationProtocol {
            store.application(hostname: "127.0.0.1", port: 0, onServerRunning: onServerRunning)
        }
        return try await withRunningApplication(storeApplication, logger) { storePort in
            let storeURL = HTTPURL(loopbackPort: storePort)
            for account in TourAccount.all {
                _ = try await WireClient(baseURL: storeURL).call(ControlEndpoints.createAccount, account.request)
            }
            let server = try await SampleBackend.server(for: store, at: storeURL, in: folder, logger: logger)
            func serverApplication(_ onServerRunning: @escaping @Sendable (Int) async -> Void) -> some ApplicationProtocol {
                server.application(hostname: "127.0.0.1", port: 0, onServerRunning: onServerRunning)
            }
            return try await withRunningApplication(serverApplication, logger) { port in
                let serverURL = HTTPURL(loopbackPort: port)
                let credentials = try await SampleBackend.keys(of: server).credentials(for: SampleBackend.customer, at: serverURL)
                try await store.setNotificationURL(serverURL.text + ServerEndpoints.notifications.template)
                return try await BreakingRelay.with(upstreamPort: port) { relay in
                    try await play(
                        TourEnvironment(
                            folder: folder,
                            store: store,
                            storeURL: storeURL,
                            server: server,
                            serverURL: serverURL,
                            relay: relay,
                            appExecutable: appExecutable,
                            credentials: credentials,
                            logger: logger
                        )
                    )
                }
            }
        }
    }

    /// Launches the app on a phone, in this process.
    func launch(
        _ phone: TourDevice, over serverURL: HTTPURL? = nil, resetsVault: Bool = false, wallClock: any WallClock = SystemWallClock()
    ) async throws -> AppSession {
        try await AppSession(phone, on: self, serverURL: serverURL ?? self.serverURL, resetsVault: resetsVault, wallClock: wallClock)
    }

    /// Sets the airplane mode of a phone on which the app does not run, so that the next app session begins with it.
    func setAirplaneMode(_ isOn: Bool, on phone: TourDevice) async throws {
        let device = try AppSession.device(phone, on: self, user: AutomaticInterface())
        try await device.change { $0.airplaneMode = isOn }
        await device.waitUntilIdle()
    }

    /// Calls an endpoint of the store's control API.
    func control<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        _ parameters: [String: String] = [:]
    ) async throws -> Response {
        try await WireClient(baseURL: storeURL).call(endpoint, body, parameters: parameters)
    }

    /// Calls an endpoint of the server with the app's credentials.
    func callServer<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, _ parameters: [String: String] = [:]
    ) async throws -> Response {
        try await WireClient(baseURL: serverURL).call(
            endpoint, body, parameters: parameters, headers: credentials.headers, token: credentials.publishableKey)
    }

    /// Requests a download token for the content of a product.
    func downloadToken(_ product: ProductID) async throws -> DownloadToken {
        try await callServer(ServerEndpoints.downloadToken, Empty(), ["product": product.rawValue])
    }

    /// Returns the store's charges of an account.
    func charges(_ account: TourAccount) async throws -> [Charge] {
        try await control(ControlEndpoints.charges, Empty(), ["account": account.request.account.rawValue]).charges
    }

    /// Advances the store's time, processes the events that fall due, and delivers notifications to the server.
    func advance(days: Int64) async throws {
        _ = try await control(ControlEndpoints.advance, AdvanceRequest(seconds: days * 86_400))
        try await store.deliverNotifications()
    }
}
