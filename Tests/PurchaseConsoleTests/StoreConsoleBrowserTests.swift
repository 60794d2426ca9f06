import Foundation
import Hummingbird
import HummingbirdTesting
import LocalAppStore
import Logging
import PurchaseConsole
import PurchaseModel
import ServiceLifecycle
import Testing

/// The page in Chromium, before a store that really listens; `Tests/Clients/console.py` holds the mouse.
@Suite(.timeLimit(.minutes(4))) struct StoreConsoleBrowserTests {
    /// What the checks promise, by their names there.
    private static let promises = [
        "live": "a purchase appears as it happens, without loading the page again",
        "time_line": "a customer's time line shows offer, renewals, grace, retry, upgrade, refund and the clock's hand",
        "subscription": "a subscription's renewal is switched, and a refund reversed",
        "buying": "a customer buys",
        "people": "an account is opened and changed",
        "catalog": "a catalog shows prices and offers, and a file that is none is refused in words",
        "approval": "Ask to Buy is approved, an interruption ended, a refund declined",
        "clock": "the clock is moved, stopped, and set to a date",
        "fault": "a fault is switched on, felt, and switched off",
        "notifications": "a notification is caused, and its body read",
        "refusal": "the store's sentence is shown where it refuses",
        "hostile": "a name is text in every section, whatever is in it",
        "many": "hundreds of transactions and thousands of events are read bit by bit",
        "stores": "a store is made, its own page opened, exported, imported, and removed again",
        "keyboard": "the page and the time line are worked with by keyboard",
        "reach": "Tab reaches everything that can be pressed, and everything has a name",
        "contrast": "every text stands out from its ground",
        "phone": "nothing scrolls sideways on a phone",
        "dark": "dark mode is dark, and can be read",
        "token": "somebody signs in with the token, and a wrong one is refused in words",
        "lost": "a lost store is told, and nothing is missed when it is back",
        "silence": "no error in the console, and no violation of the policy",
        "silence elsewhere": "no error in the console of other windows, and no violation of the policy",
    ]

    private struct Line: Decodable {
        var check: String
        var ok: Bool
        var detail: String
    }

    @Test func `people work with a store on its page`() async throws {
        let output = try await Self.withStores { try await Self.drive(told: $0) }
        let lines = try output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        for line in lines where !line.ok {
            Issue.record("\(Self.promises[line.check] ?? line.check): \(line.detail)")
        }
        #expect(Set(lines.map(\.check)) == Set(Self.promises.keys))
    }

    /// Runs a store, and one with a token, while `body` works with them.
    private static func withStores(_ body: @Sendable ([String: String]) async throws -> String) async throws -> String {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let catalog = try Catalog(storekit: Data(contentsOf: clients.appending(path: "garden.storekit")))
        let configuration = LocalAppStoreConfiguration(bundleID: "com.example.garden", catalog: catalog, database: .memory)
        let host = try await StoreHost(standard: LocalAppStore(configuration: configuration, logger: logger), logger: logger)
        let guarded = try await LocalAppStore(configuration: configuration, logger: logger)
        let page = StoreConsole()
        let application = host.application(hostname: "127.0.0.1", port: 0, page: "console/", addRoutes: page.addRoutes)
        let other = guarded.application(hostname: "127.0.0.1", port: 0, token: "open sesame", page: "console/", addRoutes: page.addRoutes)
        let services = ServiceGroup(services: host.services, logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            let result = try await application.test(.live) { client in
                try await other.test(.live) { guardedClient in
                    let ports = (try #require(client.port), try #require(guardedClient.port))
                    return try await body([
                        "url": "http://127.0.0.1:\(ports.0)", "guarded": "http://127.0.0.1:\(ports.1)", "token": "open%20sesame",
                    ])
                }
            }
            await services.triggerGracefulShutdown()
            return result
        }
    }

    private static func drive(told: [String: String]) async throws -> String {
        let process = Process()
        process.executableURL = clients.appending(path: "../../scripts/peers").standardizedFileURL
        process.arguments = [clients.appending(path: "console.py").path]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "STORE": String(decoding: try JSONEncoder().encode(told), as: UTF8.self), "PYTHONDONTWRITEBYTECODE": "1",
        ]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let handle = output.fileHandleForReading
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self) })
            }
        }
    }

    /// The tests' folder may be a link in another package's.
    private static var clients: URL {
        URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "../Clients").standardizedFileURL
    }
}
