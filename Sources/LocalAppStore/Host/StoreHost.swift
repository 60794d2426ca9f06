import Foundation
import FoundationExtras
public import Logging
import PrivateFiles
public import PurchaseModel
public import ServiceLifecycle
import StoreProtocol
import Synchronization

/// A host of several independent stores on one port.
///
/// The path of the default store has no prefix; the paths of other stores begin with `/stores/NAME`. Run
/// ``application(hostname:port:token:page:limits:onServerRunning:addRoutes:)`` and ``services`` in one service group.
public final class StoreHost: Sendable {
    /// The maximum number of stores of a host, because each store takes memory.
    public static let storeLimit = 20_000

    /// The store whose paths have no prefix.
    public let defaultStore: LocalAppStore

    // reason: the names of stores are lowercase letters, digits and hyphens.
    private let stores = Mutex<[String: LocalAppStore]>([:])
    /// The names of stores that are being created or removed; no other task may access the files of these stores.
    // reason: the names of stores are lowercase letters, digits and hyphens.
    private let reservedNames = Mutex<Set<String>>([])
    let clock: any WallClock
    /// The folder with the database files of persistent stores; nil if all stores of the host are in memory.
    private let folder: URL?
    let logger: Logger
    private let deleteFile: @Sendable (String) throws -> Void
    /// The stores that have work, such as a due renewal.
    private let work = StoreWorkQueue()
    /// The URL at which clients reach the host, without a slash at the end; nil until the host listens.
    private let baseURL = Mutex<String?>(nil)

    /// Creates a host, and opens the persistent stores in its folder.
    ///
    /// - Parameters:
    ///   - defaultStore: The store whose paths have no prefix.
    ///   - folder: The folder with the database files of persistent stores; with nil, all stores are in memory.
    ///   - clock: The clock on which the time of the other stores is based.
    ///   - logger: The logger of the host and of its stores except the default store.
    public convenience init(
        defaultStore: LocalAppStore, folder: String? = nil, clock: any WallClock = SystemWallClock(), logger: Logger
    ) async throws {
        try await self.init(defaultStore: defaultStore, folder: folder, clock: clock, logger: logger, deleteFile: Self.deleteFile)
    }

    /// Creates a host that deletes the files of removed stores with a closure.
    init(
        defaultStore: LocalAppStore, folder: String?, clock: any WallClock, logger: Logger,
        deleteFile: @escaping @Sendable (String) throws -> Void
    ) async throws {
        self.deleteFile = deleteFile
        self.defaultStore = defaultStore
        self.folder = folder.map { URL(filePath: $0, directoryHint: .isDirectory) }
        self.clock = clock
        self.logger = logger
        work.add(defaultStore)
        try await openPersistentStores()
    }

    /// Creates a host for one existing store; stores that clients add are in memory.
    init(singleStore defaultStore: LocalAppStore) {
        self.defaultStore = defaultStore
        self.folder = nil
        self.clock = SystemWallClock()
        self.logger = defaultStore.logger
        self.deleteFile = Self.deleteFile
    }

    /// Returns the store with a name, or the default store if `name` is nil; nil if the host has no such store.
    func store(named name: String?) -> LocalAppStore? {
        guard let name else { return defaultStore }
        return stores.withLock { $0[name] }
    }

    /// The names of all stores except the default store, sorted.
    public var names: [String] {
        stores.withLock { $0.keys.sorted() }
    }

    /// Creates a store as a client requests.
    ///
    /// - Throws: An error if the name is invalid or taken, the `.storekit` file is invalid, or the host has the maximum number of
    ///   stores.
    func createStore(_ request: CreateStoreRequest) async throws -> (name: String, store: LocalAppStore) {
        try await add(name: request.name) { name in try configuration(of: request, named: name) }
    }

    /// Adds a store to the host.
    ///
    /// - Parameters:
    ///   - name: The name of the store; with nil, the store gets a UUID as its name.
    ///   - configure: A closure that returns the store's configuration. It receives the store's name, which is reserved at that time.
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
        work.add(store)
        return (name, store)
    }

    /// Reserves the name of a store that is being created, so that no other task creates a store with the name.
    private func reserve(_ name: String) throws(HostError) {
        let refusal: HostError? = reservedNames.withLock { names in
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

    /// Sets the URL at which clients reach the host, and replaces the stores' certificates by new ones that name the host's OCSP responder.
    ///
    /// Call this method when the host listens, because a port that the system chooses is not known earlier. Data that was signed before the
    /// call stays valid. The call takes some milliseconds per store.
    ///
    /// - Parameter base: The URL at which clients reach the host, without a slash at the end.
    public func setBaseURL(_ base: String) {
        baseURL.withLock { $0 = base }
        defaultStore.context.signer.issuers.setOCSPURL("\(base)/ocsp")
        for (name, store) in stores.withLock({ $0 }) {
            store.context.signer.issuers.setOCSPURL("\(base)/stores/\(name)/ocsp")
        }
    }

    /// Deletes a store's database file, and removes the store from the host.
    ///
    /// - Throws: ``HostError/storeUnknown`` if the host has no store with the name, or an error if a file can't be deleted. While the host has
    ///   the store's database, it has the store.
    func remove(_ name: String) throws {
        guard reservedNames.withLock({ $0.insert(name).inserted }) else { throw HostError.storeUnknown }
        defer { release(name) }
        guard let store = stores.withLock({ $0[name] }) else {
            throw name == StoreDescription.defaultName ? HostError.storeIsDefault : .storeUnknown
        }
        let files = file(of: name).map { file in ["", "-wal", "-shm"].map { file.path + $0 } } ?? []
        // The host opens a store whose database exists; SQLite's further files alone are no store.
        for path in files.prefix(1) where FileManager.default.fileExists(atPath: path) { try deleteFile(path) }
        stores.withLock { _ = $0.removeValue(forKey: name) }
        work.remove(store)
        for path in files.dropFirst() where FileManager.default.fileExists(atPath: path) { try deleteFile(path) }
    }

    private static func deleteFile(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    /// The services that renew subscriptions and send notifications at their due times, even if the host receives no request.
    public var services: [any Service] {
        [StoreTicker(work: work, logger: logger)]
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

    /// Returns the location of a persistent store's database file, and creates the host's folder if necessary.
    ///
    /// - Throws: ``HostError/persistenceUnavailable`` if the host has no folder.
    func persistentLocation(for name: String) throws -> DatabaseLocation {
        guard let folder, let file = file(of: name) else { throw HostError.persistenceUnavailable }
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
            work.add(store)
        }
    }

    private func file(of name: String) -> URL? {
        folder?.appending(path: "\(name).sqlite")
    }

    /// Returns whether a store's name is valid: 1 to 64 lowercase letters, digits and hyphens, without a hyphen at the beginning.
    ///
    /// The name `import` is reserved for the route that imports a store.
    private static func isValidName(_ name: String) -> Bool {
        name != "import" && (1...64).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: "-")
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
