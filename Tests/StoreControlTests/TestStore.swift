import Foundation
import LocalAppStore
import Logging
import PurchaseModel
import ServiceLifecycle
import StoreControl
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The products of the tests' stores.
enum TestShop {
    /// A `.storekit` file with a monthly subscription and a consumable.
    static let storekit = Data(
        """
        { "version" : { "major" : 4, "minor" : 0 },
          "products" : [ { "productID" : "com.example.coins", "type" : "Consumable", "displayPrice" : "0.99",
            "localizations" : [ { "locale" : "en_US", "displayName" : "Coins" } ] } ],
          "subscriptionGroups" : [ { "id" : "1", "name" : "Pro", "subscriptions" : [
            { "productID" : "com.example.pro", "type" : "RecurringSubscription", "displayPrice" : "4.99",
              "recurringSubscriptionPeriod" : "P1M", "localizations" : [ { "locale" : "en_US", "displayName" : "Pro" } ] } ] } ] }
        """.utf8)
}

/// Runs a host of stores in this process at a free port while `body` runs.
func withHost(_ body: (StoreHostClient) async throws -> Void) async throws {
    let logger = Logger(label: "test")
    let configuration = LocalAppStoreConfiguration(bundleID: "com.example.app", catalog: .empty, database: .memory)
    let host = try await StoreHost(defaultStore: try await LocalAppStore(configuration: configuration, logger: logger), logger: logger)
    let (ports, found) = AsyncStream.makeStream(of: Int.self)
    var services: [any Service] = [
        host.application(hostname: "127.0.0.1", port: 0, onServerRunning: { port in found.yield(port) })
    ]
    services += host.services
    let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: services, logger: logger))
    let server = Task {
        defer { found.finish() }
        try await group.run()
    }
    let outcome: Result<Void, any Error>
    do {
        let port = try #require(await ports.first { _ in true })
        let client = StoreHostClient(url: try #require(HTTPURL("http://127.0.0.1:\(port)")))
        try await body(client)
        outcome = .success(())
    } catch {
        outcome = .failure(error)
    }
    await group.triggerGracefulShutdown()
    _ = await server.result
    try outcome.get()
}

/// Runs a store of a host in this process while `body` runs.
func withStore(_ body: (StoreClient) async throws -> Void) async throws {
    try await withHost { host in
        try await host.withStore(storekit: TestShop.storekit) { store, _ in try await body(store) }
    }
}

/// Calls `body` with the path of a new folder, and removes the folder afterward.
func withTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}

/// Posts an empty JSON object to an address, and returns the HTTP status.
func postStatus(_ address: String) async throws -> Int {
    var request = URLRequest(url: try #require(URL(string: address)))
    request.httpMethod = "POST"
    request.httpBody = Data("{}".utf8)
    let (_, response) = try await URLSession.shared.data(for: request)
    return try #require(response as? HTTPURLResponse).statusCode
}
