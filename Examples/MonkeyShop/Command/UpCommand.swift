import ArgumentParser
import Foundation
import Hummingbird
import LocalAppStore
import Logging
import MonkeyShopBackend
import MonkeyShopUI
import NIOCore
import PurchaseConsole
import PurchaseModel
import PurchaseServer
import ServiceLifecycle
import StoreControl
import WireServer

/// Runs a local App Store and a purchase server with the sample app's products and content.
struct UpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Run a local App Store, a purchase server and the sample app on a web page.",
        discussion: """
            The store and the server keep their state in the folder, and the next start continues from this state. Each visitor of the
            page has a separate store, server and phones, which are deleted when the visitor has been idle for 30 minutes. Stop the
            command with control-C.

            Exit codes: 0 stopped, 64 wrong usage, such as a port in use, 65 the store's file is damaged or of a later version.
            """
    )

    @Option(help: "The folder for the state, the content and the store's root certificates.", transform: nonEmptyPath)
    var folder: String = ".tillroll"

    @Option(help: "The store's port on 127.0.0.1; 0 for a free port.")
    var storePort = 7701

    @Option(help: "The server's port on 127.0.0.1; 0 for a free port.")
    var serverPort = 7702

    @Option(help: "The port of the page with the sample app on 127.0.0.1; 0 for a free port.")
    var shopPort = 7703

    @OptionGroup var app: AppProcessOptions

    @Flag(help: "Print the addresses as one JSON object on one line instead of text.")
    var json = false

    func validate() throws {
        for port in [storePort, serverPort, shopPort] where !(0...65_535).contains(port) {
            throw ValidationError("Invalid port \(port): give a number from 0 to 65535.")
        }
    }

    func run() async throws {
        let signals = await StopSignals()
        var logger = Logger(label: "monkeyshop", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .warning
        let lock = try FolderLock(folder)
        let store: LocalAppStore
        do { store = try await SampleBackend.store(in: folder, logger: logger) } catch {
            StandardError.line("Error: The store in \(folder) can't be opened: \(error)")
            throw ExitCode.unreadableStore
        }
        let roots = "\(folder)/store-roots.pem"
        do { try SampleFiles.replace(roots, with: Data(store.rootsPEM.utf8), isPublic: true) } catch {
            throw ValidationError("\(roots) can't be written. Choose another folder with --folder, or remove the file.")
        }
        let (ports, portFound) = AsyncStream.makeStream(of: Int.self)
        let (shopPorts, shopPortFound) = AsyncStream.makeStream(of: Int.self)
        let shop = try ShopSite(folder: "\(folder)/visitors", appExecutable: app.executable, logger: logger)
        let shopApplication = shop.application(port: shopPort, logger: logger) { shopPortFound.yield($0) }
        let storeApplication = store.application(
            hostname: "127.0.0.1",
            port: storePort,
            page: "console/",
            onServerRunning: { portFound.yield($0) },
            addRoutes: StoreConsole().addRoutes
        )
        let starter = ServerStarter(
            folder: folder,
            port: serverPort,
            store: store,
            ports: ports,
            shopPorts: shopPorts,
            rootsFile: roots,
            json: json,
            logger: logger
        )
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [storeApplication] + store.services
                    + [shopApplication, starter, ShutdownDeadline(.development, logger: logger)],
                logger: logger
            )
        )
        do {
            try await shop.visitors.run { try await signals.run(group) }
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            let requested = [("--store-port", storePort), ("--server-port", serverPort), ("--shop-port", shopPort)]
            let taken = await TakenPorts.find(among: requested, on: "127.0.0.1")
            throw ValidationError("\(taken) is taken. Choose another port, or 0 for a free one.")
        }
        _ = consume lock
    }
}

/// Starts the purchase server when the store listens, and configures each server with the other's address.
struct ServerStarter: Service {
    let folder: String
    let port: Int
    let store: LocalAppStore
    let ports: AsyncStream<Int>
    let shopPorts: AsyncStream<Int>
    let rootsFile: String
    let json: Bool
    let logger: Logger

    func run() async throws {
        guard let storePort = await ports.cancelOnGracefulShutdown().first(where: { _ in true }),
            let shopPort = await shopPorts.cancelOnGracefulShutdown().first(where: { _ in true })
        else { return }
        let storeURL = HTTPURL(loopbackPort: storePort)
        try await SampleBackend.createAccount("jane@example.com", password: "ladder", in: StoreClient(url: storeURL))
        let server = try await SampleBackend.server(for: store, at: storeURL, in: folder, logger: logger)
        let keys = try await SampleBackend.keys(of: server, in: folder)
        let application = server.application(
            hostname: "127.0.0.1",
            port: port,
            isLocal: true,
            onServerRunning: { [self] port in
                await announce(storeURL.text, "http://127.0.0.1:\(port)", "http://127.0.0.1:\(shopPort)", keys)
            },
            addRoutes: try Console(server, store: "\(storeURL.text)/console").addRoutes
        )
        try await application.run()
    }

    /// Configures the server's notification URL in the store, and prints all addresses.
    private func announce(_ storeURL: String, _ serverURL: String, _ shopURL: String, _ keys: SampleKeys) async {
        do {
            try await store.setNotificationURL(serverURL + SampleBackend.notificationPath)
        } catch {
            logger.error("the store can't save the server's notification URL; restart to try again", metadata: ["error": "\(error)"])
        }
        let addresses = UpAddresses(store: storeURL, server: serverURL, shop: shopURL, roots: rootsFile, keys: keys)
        StandardOutput.line(json ? addresses.json : Self.welcome(storeURL, serverURL, shopURL, rootsFile, keys))
    }

    /// The customer ID in the printed commands, which is also the `appAccountToken` of the purchase.
    private static let customer = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    /// Returns the text that the command prints: the addresses, and commands to try.
    private static func welcome(
        _ storeURL: String, _ serverURL: String, _ shopURL: String, _ rootsFile: String, _ keys: SampleKeys
    ) -> String {
        """
        The app     \(shopURL)   (for a browser)
        The store   \(storeURL)   (console: \(storeURL)/console)
        The server  \(serverURL)   (console: \(serverURL)/console)
        The roots   \(rootsFile) (the store's root certificates, for verifiers)
        The keys    \(keys.publishable) (publishable, for the app)
                    \(keys.secret) (secret, for the backend)

        Try, in another terminal:
          export TILLROLL_STORE=\(storeURL) SERVER=\(serverURL) SECRET=\(keys.secret)

          # subscribe (refused if jane is already subscribed): the store notifies the server, which grants access to its customer
          tillroll store buy com.example.monkeyshop.magazine --account jane@example.com --app-account-token \(customer)
          curl -s $SERVER/v1/customer/entitlements -H "Authorization: Bearer $SECRET" -H 'Tillroll-Customer: \(customer)'

          # a month later: the magazine renews, and the server receives a notification
          tillroll store advance 1mo
          tillroll store charges jane@example.com

          # the events of the store, and its notifications to the server
          tillroll store events
          tillroll store notifications

        Stop the command with control-C. The next start continues from the current state.
        """
    }
}
