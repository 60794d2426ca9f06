import Foundation
import Hummingbird
import HummingbirdTesting
import LocalAppStore
import PurchaseConsole
import PurchaseModel
import PurchaseTestSupport
import ServiceLifecycle
import Testing

/// Tests of the console in Chromium with a listening store; `Tests/Clients/console.py` controls the browser.
@Suite(.timeLimit(.minutes(20))) struct StoreConsoleBrowserTests {
    /// The promises of the checks, by their names in `Tests/Clients/console.py`.
    private static let promises = [
        "live": "a purchase appears at once, without reloading the page",
        "happenings": "what the store has recorded together is one row, and nothing else, also while the clock is stopped",
        "presses": "what the page has read is drawn after the release of a pressed button, which limits the wait by 10 s",
        "timeline": "the timeline of an account shows offer, renewals, grace period, billing retry, upgrade, refund and the current time",
        "states": "the state of each transaction is the one at the store's time",
        "links": "transactions, notifications and accounts open by their addresses, and unknown ones say so",
        "rows": "a row opens by a click anywhere, except on its controls and at the end of a selection",
        "search": "the search opens whatever has an identifier or a name, with the keyboard",
        "customers": "the list of accounts has plans, states, dates and totals, newest activity first, with one request",
        "subscription": "auto-renew is disabled and enabled, and a refund is reversed",
        "buying": "an account buys a product",
        "accounts": "an account is created, changed and removed",
        "devices": "a device that signed in is listed, restricted, and allowed to buy",
        "catalog": "products are added, changed and removed, and invalid files and prices are refused with a message",
        "approval": "an Ask to Buy purchase is approved, an interruption resolved, and a refund declined",
        "clock": "the clock is advanced, stopped, and set to a date or the next renewal",
        "fault": "a fault is enabled, applies, and is disabled",
        "notifications": "a notification is triggered, and its body is shown",
        "verification": "the signed body of a notification is verified step by step, and each attempt has its address, status and duration",
        "requests": "a refused request appears at once with its reason, opens at an address of its own, and its password is nowhere",
        "refusal": "the message of a refusal is shown",
        "hostile": "a name with markup is text in every section",
        "many": "hundreds of transactions and accounts, and thousands of events are loaded in pages",
        "stores": "a store is created, opened, exported, imported, and removed",
        "keyboard": "the page and the timeline work with the keyboard",
        "reach": "Tab reaches every control, and every control has a name",
        "contrast": "every text has enough contrast",
        "phone": "no page scrolls horizontally on a phone",
        "dark": "dark mode has a dark background and enough contrast",
        "token": "the token signs in, and a wrong token is refused with a message",
        "lost": "a lost connection is shown, and no event is missing after it is restored",
        "silence": "no error in the console, and no violation of the policy",
        "silence elsewhere": "no error in the console of other windows, and no violation of the policy",
    ]

    @Test func `the console of a store works in Chromium`() async throws {
        let results = try await Self.withStores { addresses in
            let store = String(decoding: try JSONEncoder().encode(addresses), as: UTF8.self)
            return try await ClientCheck.run("console.py", environment: ["STORE": store])
        }
        for result in results where !result.ok {
            Issue.record("\(Self.promises[result.check] ?? result.check): \(result.detail)")
        }
        #expect(Set(results.map(\.check)) == Set(Self.promises.keys))
    }

    /// Runs a store and a store with a token while `body` runs.
    private static func withStores<Result: Sendable>(_ body: @Sendable ([String: String]) async throws -> Result) async throws -> Result {
        let catalog = try Catalog(storekit: Data(contentsOf: ClientCheck.clients.appending(path: "garden.storekit")))
        let configuration = LocalAppStoreConfiguration(bundleID: "com.example.garden", catalog: catalog, database: .memory)
        let host = try await StoreHost(defaultStore: LocalAppStore(configuration: configuration, logger: .silent), logger: .silent)
        let guarded = try await LocalAppStore(configuration: configuration, logger: .silent)
        let page = StoreConsole()
        let application = host.application(hostname: "127.0.0.1", port: 0, page: "console/", addRoutes: page.addRoutes)
        let other = guarded.application(hostname: "127.0.0.1", port: 0, token: "open sesame", page: "console/", addRoutes: page.addRoutes)
        let services = ServiceGroup(services: host.services, logger: .silent)
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
}
