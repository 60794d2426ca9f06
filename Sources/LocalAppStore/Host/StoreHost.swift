import Foundation
public import Logging
import PrivateFiles
public import PurchaseModel
import PurchaseProtocol
public import ServiceLifecycle
import Synchronization

/// Any number of stores behind one port, which never meet.
///
/// One of them, the default store, has the shortest addresses; the others have `/stores/NAME` in front of theirs. Run
/// ``application(hostname:port:token:page:limits:onServerRunning:addRoutes:)`` and ``services`` in one service group.
public final class StoreHost: Sendable {
    /// The most stores of one host; each takes memory.
    public static let storeLimit = 20_000

    /// The store at `/`.
    public let standard: LocalAppStore

    private let stores = Mutex<[String: LocalAppStore]>([:])
    /// The names of stores that are being made or removed: nobody else may touch their files.
    private let busyNames = Mutex<Set<String>>([])
    let clock: any WallClock
    /// Where stores that are to last keep their files; nil when none can.
    private let folder: URL?
    let logger: Logger
    /// Where the host is reached; nil before it listens.
    private let address = Mutex<String?>(nil)

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - standard: The store at `/`.
    ///   - folder: Where stores that are to last keep their files; those that are there already are opened again. Nil for none.
    ///   - clock: What the time of further stores follows.
    ///   - logger: Where the host and its further stores say what they met.
    public init(
        standard: LocalAppStore, folder: String? = nil, clock: any WallClock = SystemWallClock(), logger: Logger
    ) async throws {
        self.standard = standard
        self.folder = folder.map { URL(filePath: $0, directoryHint: .isDirectory) }
        self.clock = clock
        self.logger = logger
        try await openKept()
    }

    /// A host of one store only, which can make more in memory.
    init(alone standard: LocalAppStore) {
        self.standard = standard
        self.folder = nil
        self.clock = SystemWallClock()
        self.logger = standard.logger
    }

    /// The store with that name, or the default one.
    func store(named name: String?) -> LocalAppStore? {
        guard let name else { return standard }
        return stores.withLock { $0[name] }
    }

    /// The names of all but the default store, in order.
    public var names: [String] {
        stores.withLock { $0.keys.sorted() }
    }

    /// Makes a store.
    ///
    /// - Throws: ``StoreError`` when the name cannot be used or is taken, the catalog cannot be read, or there are too many stores.
    func make(_ request: NewStoreRequest) async throws -> (name: String, store: LocalAppStore) {
        try await add(name: request.name) { name in try configuration(of: request, named: name) }
    }

    /// Adds a store; `configure` is told its name when nobody else has it.
    func add(
        name: String?, _ configure: (String) throws -> LocalAppStoreConfiguration
    ) async throws -> (name: String, store: LocalAppStore) {
        let name = name ?? UUID().uuidString.lowercased()
        guard Self.isUsable(name) else { throw StoreError.unusable(field: "name") }
        try reserve(name)
        defer { release(name) }
        let configuration = try configure(name)
        let store = try await LocalAppStore(configuration: configuration, clock: clock, logger: logger)
        stores.withLock { $0[name] = store }
        return (name, store)
    }

    /// Keeps a name from others while its store is made.
    private func reserve(_ name: String) throws(StoreError) {
        let refusal: StoreError? = busyNames.withLock { names in
            let (isThere, count) = stores.withLock { ($0[name] != nil, $0.count) }
            guard count + names.count < Self.storeLimit else { return .tooManyStores }
            guard !isThere, name != standard.name, names.insert(name).inserted else { return .storeTaken }
            return nil
        }
        if let refusal { throw refusal }
    }

    private func release(_ name: String) {
        busyNames.withLock { _ = $0.remove(name) }
    }

    /// Has the certificates of every store say that one can ask about them here.
    ///
    /// Called when the host listens, because a free port is known no earlier; what was signed before is good as ever. Costs some
    /// milliseconds for each store.
    ///
    /// - Parameter base: The address of the host without a slash at its end, as clients reach it.
    public func isReached(at base: String) {
        address.withLock { $0 = base }
        standard.ledger.signer.issuers.ask(at: "\(base)/ocsp")
        for (name, store) in stores.withLock({ $0 }) {
            store.ledger.signer.issuers.ask(at: "\(base)/stores/\(name)/ocsp")
        }
    }

    /// Forgets a store, and removes its file.
    func remove(_ name: String) throws {
        guard busyNames.withLock({ $0.insert(name).inserted }) else { throw StoreError.storeUnknown }
        defer { release(name) }
        guard stores.withLock({ $0.removeValue(forKey: name) }) != nil else { throw StoreError.storeUnknown }
        guard let file = file(of: name) else { return }
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: file.path + suffix) {
            try FileManager.default.removeItem(atPath: file.path + suffix)
        }
    }

    /// What has to run beside the application: it renews subscriptions and sends notifications while nobody asks.
    public var services: [any Service] {
        [StoreTicker(stores: { [self] in [standard] + stores.withLock { Array($0.values) } }, logger: logger)]
    }

    private func configuration(of request: NewStoreRequest, named name: String) throws -> LocalAppStoreConfiguration {
        let catalog = try request.storekit.map { try Catalog(reading: $0.data) } ?? .empty
        if let id = request.bundleID, !(1...Catalog.identifierLimit).contains(id.rawValue.utf8.count) {
            throw StoreError.unusable(field: "bundle_id")
        }
        let location = request.isKept == true ? try keep(name) : .memory
        var configuration = LocalAppStoreConfiguration(
            bundleID: request.bundleID ?? LocalAppStoreConfiguration.defaultBundleID, catalog: catalog, database: location,
            sharedSecret: request.sharedSecret
        )
        configuration.name = name
        configuration.ocspURL = address.withLock { $0 }.map { "\($0)/stores/\(name)/ocsp" }
        return configuration
    }

    /// Where the file of a store goes that is to last.
    func keep(_ name: String) throws -> DatabaseLocation {
        guard let folder, let file = file(of: name) else { throw StoreError.nothingIsKept }
        try PrivateFiles.makeFolder(folder.path)
        return .file(file.path)
    }

    private func openKept() async throws {
        guard let folder, let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return }
        for file in files.sorted() where file.hasSuffix(".sqlite") {
            let name = String(file.dropLast(".sqlite".count))
            guard Self.isUsable(name) else { continue }
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

    /// Whether a name can stand in an address and name a file; `import` is an address of its own.
    private static func isUsable(_ name: String) -> Bool {
        name != "import" && (1...64).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: "-")
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
