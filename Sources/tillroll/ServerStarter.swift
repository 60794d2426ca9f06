import Foundation
import Hummingbird
import LocalAppStore
import Logging
import PurchaseConsole
import PurchaseModel
import PurchaseProtocol
import PurchaseServer
import ServiceLifecycle
import TillrollTour
import WireClient

/// Starts the server once the store listens: the server needs the store's address, and the store needs the server's address.
struct ServerStarter: Service {
    let folder: String
    let port: Int
    let store: LocalAppStore
    let ports: AsyncStream<Int>
    let rootsFile: String
    let json: Bool
    let logger: Logger

    func run() async throws {
        guard let storePort = await ports.cancelOnGracefulShutdown().first(where: { _ in true }) else { return }
        let storeURL = HTTPURL(loopbackPort: storePort)
        try await openAccount(at: storeURL)
        let server = try await SampleBackend.server(for: store, at: storeURL, in: folder, logger: logger)
        let application = server.application(
            hostname: "127.0.0.1",
            port: port,
            isLocal: true,
            onServerRunning: { [self] port in await announce(storeURL.text, "http://127.0.0.1:\(port)") },
            addRoutes: try Console(server).addRoutes
        )
        try await application.run()
    }

    /// Creates the sample account.
    ///
    /// While the store processes events that fell due during a stop, the request is repeated.
    private func openAccount(at storeURL: HTTPURL) async throws {
        let account = OpenAccountRequest(account: "jane@example.com", password: "ladder")
        while true {
            do {
                _ = try await WireClient(baseURL: storeURL).call(ControlEndpoints.openAccount, account)
                return
            } catch WireClientError.refused(status: 503, _) {
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Configures the server's address in the store, and prints the addresses of both.
    private func announce(_ storeURL: String, _ serverURL: String) async {
        do {
            try await store.setNotificationURL(serverURL + ServerEndpoints.notifications.template)
        } catch {
            logger.error("the store can't keep the server's address", metadata: ["error": "\(error)"])
        }
        let addresses = UpAddresses(store: storeURL, server: serverURL, roots: rootsFile)
        StandardOutput.line(json ? addresses.json : Self.welcome(storeURL, serverURL, rootsFile))
    }

    /// The addresses, and commands to try.
    private static func welcome(_ storeURL: String, _ serverURL: String, _ rootsFile: String) -> String {
        """
        The store   \(storeURL)   (console: \(storeURL)/console)
        The server  \(serverURL)   (console: \(serverURL)/console)
        The roots   \(rootsFile), the store's certificates for whoever verifies what it signs

        Try, in another terminal:
          # what the server sells, and what the store asks for it
          curl -s \(serverURL)/v1/products
          curl -s \(storeURL)/device/v1/products -d '{"productIDs":["com.example.monkeyshop.credits5"]}'

          # sign in, subscribe (the store says so when you have already), and look at the charge
          TOKEN=$(curl -s \(storeURL)/device/v1/sign-in -d '{"account":"jane@example.com","password":"ladder","device":"00112233-4455-6677-8899-aabbccddeeff","bundleID":"com.example.monkeyshop","appVersion":"1.0"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
          curl -s \(storeURL)/device/v1/purchases -H "Authorization: Bearer $TOKEN" -d '{"payment":"'$(cat /proc/sys/kernel/random/uuid)'","productID":"com.example.monkeyshop.magazine","quantity":1,"appAccountToken":"6ba7b810-9dad-11d1-80b4-00c04fd430c8"}'
          curl -s \(storeURL)/control/v1/accounts/jane@example.com/charges

          # a month later: the magazine renews, the server hears of it and knows who has access
          curl -s \(storeURL)/control/v1/clock/advance -d '{"seconds":2700000}'
          curl -s \(serverURL)/v1/customers/6ba7b810-9dad-11d1-80b4-00c04fd430c8/access/com.example.monkeyshop.magazine

        Stop both with control-C; the next start goes on from here.
        """
    }
}
