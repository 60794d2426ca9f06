import Foundation
public import Logging
import PrivateFiles
public import PurchaseModel
import PurchaseProtocol
public import ServiceLifecycle
import Synchronization

/// A host of several independent stores on one port.
///
/// The default store has addresses without a prefix; the addresses of other stores begin with `/stores/NAME`. Run
/// ``application(hostname:port:token:page:limits:onServerRunning:addRoutes:)`` and ``services`` in one service group.
public final class StoreHost: Sendable {
    /// The maximum number of stores of a host, because each store takes memory.
    public static let storeLimit = 20_000

    /// The default store, at `/`.
    public let defaultStore: LocalAppStore

    private let stores = Mutex<[String: LocalAppStore]>([:])
    /// The names of stores whose creation or removal is in progress; no other task may access their files.
    private let reservedNames = Mutex<Set<String>>([])
    let clock: any WallClock
    /// The folder for the files of persistent stores; nil if the host has no persistent stores.
    private let folder: URL?
    let logger: Logger
    /// The base URL of the host; nil until the host listens.
    private let baseURL = Mutex<String?>(nil)

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - defaultStore: The default store, at `/`.
    ///   - folder: The folder for the files of persistent stores; existing stores are opened again. Nil for none.
    ///   - clock: The clock on which the time of further stores is based.
    ///   - logger: The logger of the host and of its further stores.
    public init(
        defaultStore: LocalAppStore, folder: String? = nil, clock: any WallClock = SystemWallClock(), logger: Logger
    ) async throws {
        self.defaultStore = defaultStore
        self.folder = folder.map { URL(filePath: $0, directoryHint: .isDirectory) }
        self.clock = clock
        self.logger = logger
        try await openPersistentStores()
    }

    /// Creates a host with a default store only; further stores are in memory.
    init(singleStore defaultStore: LocalAppStore) {
        self.defaultStore = defaultStore
        self.folder = nil
        self.clock = SystemWallClock()
        self.logger = defaultStore.logger
    }

    /// The store with a name; the default store for nil.
    func store(named name: String?) -> LocalAppStore? {
        guard let name else { return defaultStore }
        return stores.withLock { $0[name] }
    }

    /// The names of all stores except the default store, sorted.
    public var names: [String] {
        stores.withLock { $0.keys.sorted() }
    }

    /// Creates a store.
    ///
    /// - Throws: ``StoreError`` if the name is invalid or taken, the catalog is unreadable, or the host has too many stores.
    func createStore(_ request: CreateStoreRequest) async throws -> (name: String, store: LocalAppStore) {
        try await add(name: request.name) { name in try configuration(of: request, named: name) }
    }

    /// Adds a store; `configure` receives the store's name after the name is reserved.
    func add(
        name: String?, _ configure: (String) throws -> LocalAppStoreConfiguration
    ) async throws -> (name: String, store: LocalAppStore) {
        let name = name ?? UUID().uuidString.lowercased()
        guard Self.isValidName(name) else { throw StoreError.invalidValue(field: "name") }
        try reserve(name)
        defer { release(name) }
        let configuration = try configure(name)
        let store = try await LocalAppStore(configuration: configuration, clock: clock, logger: logger)
        stores.withLock { $0[name] = store }
        return (name, store)
    }

    /// Reserves a name during the creation of its store.
    private func reserve(_ name: String) throws(StoreError) {
        let refusal: StoreError? = reservedNames.withLock { names in
            let (exists, count) = stores.withLock { ($0[name] != nil, $0.count) }
            guard count + names.count < Self.storeLimit else { return .tooManyStores }
            guard !exists, name != defaultStore.name, names.insert(name).inserted else { return .storeTaken }
            return nil
        }
        if let refusal { throw refusal }
    }

    private func release(_ name: String) {
        reservedNames.withLock { _ = $0.remove(name) }
    }

    /// Sets the host's base URL as the OCSP responder in the new certificates of every store.
    ///
    /// Call this method when the host listens, because a free port is not known earlier. Data that was signed before stays valid. The
    /// call takes some milliseconds per store.
    ///
    /// - Parameter base: The base URL of the host as clients reach it, without a slash at its end.
    public func setBaseURL(_ base: String) {
        baseURL.withLock { $0 = base }
        defaultStore.ledger.signer.issuers.setOCSPURL("\(base)/ocsp")
        for (name, store) in stores.withLock({ $0 }) {
            store.ledger.signer.issuers.setOCSPURL("\(base)/stores/\(name)/ocsp")
        }
    }

    /// Removes a store and its file.
    func remove(_ name: String) throws {
        guard reservedNames.withLock({ $0.insert(name).inserted }) else { throw StoreError.storeUnknown }
        defer { release(name) }
        guard stores.withLock({ $0.removeValue(forKey: name) }) != nil else { throw StoreError.storeUnknown }
        guard let file = file(of: name) else { return }
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: file.path + suffix) {
            try FileManager.default.removeItem(atPath: file.path + suffix)
        }
    }

    /// The background services, which renew subscriptions and send notifications between requests.
    public var services: [any Service] {
        [StoreTicker(stores: { [self] in [defaultStore] + stores.withLock { Array($0.values) } }, logger: logger)]
    }

    private func configuration(of request: CreateStoreRequest, named name: String) throws -> LocalAppStoreConfiguration {
        let catalog = try request.storekit.map { try Catalog(reading: $0.data) } ?? .empty
        if let id = request.bundleID, !(1...Catalog.identifierLimit).contains(id.rawValue.utf8.count) {
            throw StoreError.invalidValue(field: "bundleID")
        }
        let location = request.isPersistent == true ? try persistentLocation(for: name) : .memory
        var configuration = LocalAppStoreConfiguration(
            bundleID: request.bundleID ?? LocalAppStoreConfiguration.defaultBundleID, catalog: catalog, database: location,
            sharedSecret: request.sharedSecret
        )
        configuration.name = name
        configuration.ocspURL = baseURL.withLock { $0 }.map { "\($0)/stores/\(name)/ocsp" }
        return configuration
    }

    /// The location of a persistent store's file.
    func persistentLocation(for name: String) throws -> DatabaseLocation {
        guard let folder, let file = file(of: name) else { throw StoreError.persistenceUnavailable }
        try PrivateFiles.createFolder(folder.path)
        return .file(file.path)
    }

    private func openPersistentStores() async throws {
        guard let folder, let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return }
        for file in files.sorted() where file.hasSuffix(".sqlite") {
            let name = String(file.dropLast(".sqlite".count))
            guard Self.isValidName(name) else { continue }
            var configuration = LocalAppStoreConfiguration(
                bundleID: LocalAppStoreConfiguration.defaultBundleID, catalog: .empty, database: .file(folder.appending(path: file).path)
            )
            configuration.name = name
            configuration.isReopened = true
            let store = try await LocalAppStore(configuration: configuration, clock: clock, logger: logger)
            stores.withLock { $0[name] = store }
        }
    }

    private func file(of name: String) -> URL? {
        folder?.appending(path: "\(name).sqlite")
    }

    /// Whether a name is valid in a URL and as a file name; `import` is reserved for a route.
    private static func isValidName(_ name: String) -> Bool {
        name != "import" && (1...64).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: "-")
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
