public import Foundation
import FoundationExtras
public import PurchaseModel
public import StoreProtocol
import Wire

/// A client of a host: a process that serves several independent local stores at one address, such as `tillroll store up`.
///
/// Each test creates a store, in some milliseconds, so that tests run in parallel:
///
/// ```swift
/// let host = StoreHostClient(url: url)
/// try await host.withStore(storekit: catalog) { store, _ in
///     try await store.buy("com.example.pro", for: "jane")
/// }
/// ```
///
/// All methods throw ``StoreControlError``.
public struct StoreHostClient: Sendable {
    /// The address of the host.
    public let url: HTTPURL
    private let token: String?
    private let timeoutSeconds: Int64

    /// Creates a client of a host.
    ///
    /// - Parameters:
    ///   - url: The address of the host, without the path of a store. Requests with an address that has a query throw
    ///     ``StoreControlError/invalidAddress(_:)``.
    ///   - token: The token that the host requires, as `tillroll store up` prints it; nil for none.
    ///   - timeoutSeconds: The number of seconds within which a response must arrive.
    public init(url: HTTPURL, token: String? = nil, timeoutSeconds: Int64 = 120) {
        self.url = url
        self.token = token
        self.timeoutSeconds = timeoutSeconds
    }

    /// A client of the host's default store.
    public var defaultStore: StoreClient { StoreClient(url: url, token: token, timeoutSeconds: timeoutSeconds) }

    /// Lists the stores of the host.
    ///
    /// - Returns: The default store, followed by the other stores, sorted by name.
    public func stores() async throws(StoreControlError) -> [StoreDescription] {
        try await defaultStore.call(HostEndpoints.stores).stores
    }

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - name: The name in the store's URL, of up to 64 characters from `a-z`, `0-9` and `-`; nil for a generated name.
    ///   - storekit: The contents of a `.storekit` file with the products; nil for a store without products.
    ///   - bundleID: The bundle identifier of the store's app; nil for `com.example.app`.
    ///   - sharedSecret: The shared secret that `verifyReceipt` requires as `password`; nil to accept any password.
    ///   - isPersistent: Whether the store is kept in a file in the host's folder; otherwise it is in memory.
    /// - Returns: The description of the store; ``client(of:)`` returns its client.
    /// - Throws: `refused` with the code `store.taken` if the host has a store with the name, or for an invalid name or `.storekit` file, and
    ///   `invalidRequest` for a `.storekit` file that is not JSON.
    public func createStore(
        named name: String? = nil, storekit: Data? = nil, bundleID: BundleID? = nil, sharedSecret: String? = nil,
        isPersistent: Bool = false
    ) async throws(StoreControlError) -> StoreDescription {
        if let storekit { try StoreClient.checkJSON(storekit, "storekit") }
        let request = CreateStoreRequest(
            name: name, storekit: storekit.map { JSONText($0) }, bundleID: bundleID, sharedSecret: sharedSecret,
            isPersistent: isPersistent ? true : nil)
        return try await defaultStore.call(HostEndpoints.createStore, request)
    }

    /// Finds a store.
    ///
    /// - Parameter name: The name of the store, other than that of the default store.
    /// - Returns: The description of the store; ``client(of:)`` returns its client.
    /// - Throws: `refused` with the code `store.unknown` if the host has no such store.
    public func store(named name: String) async throws(StoreControlError) -> StoreDescription {
        try await defaultStore.call(HostEndpoints.store, ["store": name])
    }

    /// Deletes a store and its database file.
    ///
    /// - Parameter name: The name of the store; the default store can't be deleted.
    /// - Throws: `refused` with the code `store.unknown` if the host has no such store.
    public func deleteStore(named name: String) async throws(StoreControlError) {
        _ = try await defaultStore.call(HostEndpoints.deleteStore, ["store": name])
    }

    /// Creates a store from an exported file, with the keys, accounts, purchases and time of the exported store.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file, from ``StoreClient/export()``.
    ///   - name: The name of the new store; nil for a generated name.
    ///   - isPersistent: Whether the store is kept in a file in the host's folder; otherwise it is in memory.
    /// - Returns: The description of the store.
    /// - Throws: `refused` for a file that is not an exported store, and with the code `store.taken` if the host has a store with the name.
    public func importStore(
        _ file: Data, named name: String? = nil, isPersistent: Bool = false
    ) async throws(StoreControlError) -> StoreDescription {
        var query = isPersistent ? ["isPersistent": "true"] : [:]
        query["name"] = name
        let path = HostEndpoints.importPath + PathTemplate.query(query)
        let reply = try await defaultStore.transfer("POST", path, contentType: "application/vnd.sqlite3", file)
        guard let description = try? WireJSON.decode(StoreDescription.self, from: reply) else {
            throw .invalidResponse(url, status: 200)
        }
        return description
    }

    /// Returns a client of a store, with the token of this client.
    ///
    /// The client has the address of this host with the path of the store, and not the address in the description: the token is sent to no
    /// other host.
    ///
    /// - Parameter store: The description of a store of this host.
    /// - Throws: ``StoreControlError/invalidAddress(_:)`` if the host's address has a query, or is too long for the path of a store.
    public func client(of store: StoreDescription) throws(StoreControlError) -> StoreClient {
        guard store.name != StoreDescription.defaultName else { return defaultStore }
        guard !url.hasQuery, let address = url.appending(HostEndpoints.store.path(["store": store.name])) else {
            throw .invalidAddress(url.text)
        }
        return StoreClient(url: address, token: token, timeoutSeconds: timeoutSeconds)
    }

    /// Creates a store in memory, calls `body` with it, and deletes it.
    ///
    /// - Parameters:
    ///   - storekit: The contents of a `.storekit` file with the products; nil for a store without products.
    ///   - bundleID: The bundle identifier of the store's app; nil for `com.example.app`.
    ///   - body: The code that uses the store.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or ``StoreControlError`` if the store can't be created.
    @discardableResult
    public func withStore<Result>(
        storekit: Data? = nil, bundleID: BundleID? = nil, _ body: (StoreClient, StoreDescription) async throws -> Result
    ) async throws -> Result {
        let store = try await createStore(storekit: storekit, bundleID: bundleID)
        let result: Result
        do { result = try await body(try client(of: store), store) } catch {
            await delete(store)
            throw error
        }
        await delete(store)
        return result
    }

    /// Deletes a store, even if the task is canceled; a store that the code has deleted or whose host has ended needs no deletion.
    private func delete(_ store: StoreDescription) async {
        _ = await Task { try? await deleteStore(named: store.name) }.value
    }
}
