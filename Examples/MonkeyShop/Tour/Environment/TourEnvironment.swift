import Hummingbird
public import LocalAppStore
public import Logging
import MonkeyShopBackend
import OpenStoreKit
public import PurchaseKit
public import PurchaseModel
public import PurchaseServer
import StoreControl
import Synchronization

/// The environment in which the tour's steps run: a store and a server on loopback ports, and a folder for the phones' files.
public final class TourEnvironment: Sendable {
    /// The path of the folder with all files of the tour.
    public let folder: String
    /// The local App Store.
    public let store: LocalAppStore
    /// The store's base address.
    public let storeURL: HTTPURL
    /// The client of the store's control API.
    let control: StoreClient
    /// The developer's server.
    public let server: PurchaseServer
    /// The server's base address.
    public let serverURL: HTTPURL
    /// A relay to the server, with which a step can interrupt a connection.
    public let relay: BreakingRelay
    /// The path of the `monkeyshop` executable, which runs the app in a separate process.
    public let appExecutable: String
    /// The credentials of the app and its customer, which the app's backend would issue when the user signs in.
    public let credentials: ServerCredentials
    /// The log of the store, the server and the devices.
    let logger: Logger

    /// The tour's customer on the developer's server.
    public let customer = SampleBackend.customer

    private let appMemory = Mutex<Int?>(nil)

    /// The largest peak memory of the killed app processes, in megabytes; nil if no process was killed.
    public var appPeakMegabytes: Int? { appMemory.withLock { $0 } }

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
        control = StoreClient(url: storeURL)
        self.server = server
        self.serverURL = serverURL
        self.relay = relay
        self.appExecutable = appExecutable
        self.logger = logger
    }

    /// Starts a store and a server with their files in a folder, runs `play`, and stops the store and the server.
    ///
    /// - Parameters:
    ///   - folder: The path of an empty folder that no other process uses.
    ///   - appExecutable: The path of the `monkeyshop` executable, which runs the app in a separate process.
    ///   - logger: The log of the store, the server and the devices.
    ///   - play: The steps to run in the environment.
    /// - Returns: The result of `play`.
    /// - Throws: The error of `play`, or of the start of the store and the server.
    public static func with<Result: Sendable>(
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
            let control = StoreClient(url: storeURL)
            for account in TourAccount.all {
                try await control.createAccount(account.id, password: account.password, askToBuyEnabled: account.askToBuyEnabled)
            }
            let server = try await SampleBackend.server(for: store, at: storeURL, in: folder, logger: logger)
            func serverApplication(_ onServerRunning: @escaping @Sendable (Int) async -> Void) -> some ApplicationProtocol {
                server.application(hostname: "127.0.0.1", port: 0, onServerRunning: onServerRunning)
            }
            return try await withRunningApplication(serverApplication, logger) { port in
                let serverURL = HTTPURL(loopbackPort: port)
                let credentials = try await SampleBackend.keys(of: server).credentials(for: SampleBackend.customer, at: serverURL)
                try await store.setNotificationURL(serverURL.text + SampleBackend.notificationPath)
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

    /// Sets airplane mode on a phone whose app is closed; the next app session starts with this setting.
    func setAirplaneMode(_ isOn: Bool, on phone: TourDevice) async throws {
        let device = try AppSession.device(phone, on: self, user: AutomaticInterface())
        try await device.change { $0.airplaneMode = isOn }
        await device.waitUntilIdle()
    }

    /// The client of the server with the app's credentials.
    var client: BackendClient { BackendClient(serverURL, .app(credentials)) }

    func charges(_ account: TourAccount) async throws -> [Charge] { try await control.charges(of: account.id) }

    /// Advances the store's time, processes the due events, and delivers the notifications to the server.
    func advance(days: Int64) async throws {
        try await control.advance(days: days)
        try await store.deliverNotifications()
    }
}
