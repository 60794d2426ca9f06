import ArgumentParser
import Foundation
import FoundationExtras
import Hummingbird
import LocalAppStore
import Logging
import NIOCore
import PrivateFiles
import PurchaseConsole
import PurchaseModel
import ServiceLifecycle
import StoreProtocol
import Synchronization
import WireServer

/// Runs a local App Store until it is stopped.
struct StoreUpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Run a local App Store until control-C or SIGTERM.",
        discussion: """
            When the store is ready, the command prints its addresses. With --json they are one JSON object on one line: url, \
            sandboxVerifyReceipt, productionVerifyReceipt, serverAPI, productionServerAPI, rootCertificate (path of a PEM file), \
            apiKey (path of a .p8 file), keyID, issuerID, bundleID, appAppleID and console; token if one is required; tlsURL and \
            tlsPort with --tls-port.

              tillroll store up --storekit Shop.storekit
              tillroll store up --storekit Shop.storekit --port 0 --json
              tillroll store up --storekit Shop.storekit --folder shop --tls-port 7743

            With TLS, the store presents a certificate for any host name that a client requests, with the root rootCertificate.
            """,
        exitCodes: ExitCodeFooter(
            success: "stopped", refused: "the .storekit file is invalid",
            usage: "such as a port in use or an invalid folder", unreadableStore: "the store's file is damaged or of a later version"
        )
    )

    @Option(help: ArgumentHelp("The .storekit file (default: the folder's products, or none).", valueName: "file"), transform: nonEmptyPath)
    var storekit: String?
    @Option(help: "The port for HTTP; 0 for a free port.") var port = 7701
    @Option(help: "The port for TLS; 0 for a free port (default: no TLS).") var tlsPort: Int?
    @Option(help: "The address to listen on. Addresses that other machines can reach, such as 0.0.0.0, require a token.")
    var host = "127.0.0.1"
    @Option(help: "The folder for the store's state (default: in memory).", transform: nonEmptyPath)
    var folder: String?
    @Option(help: "The app's bundle ID (default: the folder's app, or \(LocalAppStoreConfiguration.defaultBundleID)).")
    var bundleID: String?
    @Option(help: "The password that verifyReceipt requires (default: any password is accepted).") var sharedSecret: String?
    @Option(help: ArgumentHelp("The URL for notifications.", valueName: "url")) var notify: String?
    @Flag(help: "Retry sandbox notifications on the production schedule; Apple's sandbox sends them once.")
    var retrySandbox = false
    @Option(help: "The access token that requests need (default: a random one if other machines can reach the store, or none).")
    var token: String?
    @Flag(
        inversion: .prefixedNo,
        help: "Print a line for each request to the default store, except to the control API (default: on a terminal).")
    var requests: Bool?
    @Flag(help: "End the store when standard input ends, so that it does not outlive the process that started it.")
    var untilInputEnds = false
    @Flag(help: "Print the addresses as one JSON object on one line instead of text.") var json = false

    func validate() throws {
        guard (0...65_535).contains(port), (0...65_535).contains(tlsPort ?? 0) else {
            throw ValidationError("Invalid --port or --tls-port: give a number from 0 to 65535.")
        }
        if let notify, HTTPURL(notify) == nil {
            throw ValidationError("Invalid --notify \(notify): give an http or https URL with a host and a port from 1 to 65535.")
        }
        guard token?.isEmpty != true else { throw ValidationError("Empty --token: give a token, or leave the option out.") }
    }

    func run() async throws {
        StandardStreams.prepare()
        // Signals are deferred before the first file is created, so that an early signal leaves no file behind.
        let signals = await StopSignals()
        let catalog = try storekit.map { try StorekitFile($0).catalog() }
        let storeFolder = try StoreFolder(folder)
        defer { storeFolder.release() }
        var logger = Logger(label: "tillroll", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .warning
        let store = try await open(at: storeFolder, catalog: catalog, logger)
        let stores: StoreHost
        do {
            stores = try await StoreHost(defaultStore: store, folder: storeFolder.isTemporary ? nil : storeFolder.stores, logger: logger)
        } catch {
            StandardError.line("Error: A store in \(storeFolder.stores) can't be opened: \(error)")
            throw ExitCode.unreadableStore
        }
        let token = token ?? (StoreHost.isLoopback(host) ? nil : Self.randomToken())
        let (found, finding) = AsyncStream.makeStream(of: StorePorts.Numbers.self)
        let ports = StorePorts(expectsTLS: tlsPort != nil) { finding.yield($0) }
        let announcement = StoreAnnouncement(ports: found) { [self] ports in
            try announce(store, at: storeFolder, ports, token: token)
        }
        var services: [any Service] = [
            stores.application(
                hostname: host, port: port, token: token, page: "console/", onServerRunning: { ports.set(plain: $0) },
                addRoutes: StoreConsole().addRoutes)
        ]
        if let tlsPort {
            let application = try stores.tlsApplication(
                hostname: host, port: tlsPort, token: token, page: "console/", onServerRunning: { ports.set(tls: $0) },
                addRoutes: StoreConsole().addRoutes)
            services.append(application)
        }
        services += stores.services
        services.append(announcement)
        if requests ?? (!json && isatty(STDOUT_FILENO) == 1) { services.append(RequestPrinter(store: store)) }
        services.append(ShutdownDeadline(.development, logger: logger, cleanUp: storeFolder.remove))
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services, logger: logger)
        )
        do {
            try await signals.run(group, untilInputEnds: untilInputEnds)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            let requested = [("--port", port)] + (tlsPort.map { [("--tls-port", $0)] } ?? [])
            let taken = await TakenPorts.find(among: requested, on: host)
            throw ValidationError("\(taken) on \(host) is taken. Choose another port, or 0 for a free one.")
        } catch let error as IOError {
            let reason = SystemError(number: error.errnoCode)
            throw ValidationError("Can't listen on \(requestedPorts) of \(host): \(reason). Choose another with --host and --port.")
        } catch is SocketAddressError.UnknownHost {
            throw ValidationError("--host \(host) is not an address of this machine. Use 127.0.0.1 for this machine only, 0.0.0.0 for all.")
        }
    }

    /// The requested ports as options of the command line, for error messages.
    private var requestedPorts: String {
        tlsPort.map { "--port \(port) or --tls-port \($0)" } ?? "--port \(port)"
    }

    /// Opens the store of the folder and applies the settings of the command line, or creates a store.
    private func open(at storeFolder: StoreFolder, catalog: Catalog?, _ logger: Logger) async throws -> LocalAppStore {
        var configuration = LocalAppStoreConfiguration(
            bundleID: bundleID.map { BundleID($0) } ?? LocalAppStoreConfiguration.defaultBundleID, catalog: catalog ?? .empty,
            database: storeFolder.isTemporary ? .memory : .file(storeFolder.database), sharedSecret: sharedSecret
        )
        configuration.isReopened = storeFolder.hasStore && bundleID == nil
        configuration.notificationRetries = retrySandbox ? .production : .sandbox
        let store: LocalAppStore
        do { store = try await LocalAppStore(configuration: configuration, logger: logger) } catch {
            StandardError.line("Error: The store in \(folder ?? "memory") can't be opened: \(error)")
            throw ExitCode.unreadableStore
        }
        var change = AppRequest()
        if !storeFolder.isTemporary {
            change.storekit = catalog.map { JSONText($0.storekit) }
            change.sharedSecret = sharedSecret
        }
        change.sandboxURL = notify
        change.productionURL = notify
        do { try await store.set(change) } catch { throw ValidationError("--notify: \(error)") }
        return store
    }

    /// Returns a random access token of 256 bits.
    private static func randomToken() -> String {
        (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }

    /// Writes the key files, and prints the addresses of the store, which is ready.
    ///
    /// - Throws: A usage error if the root certificate or the API key can't be written to a file.
    private func announce(
        _ store: LocalAppStore, at storeFolder: StoreFolder, _ ports: StorePorts.Numbers, token: String?
    ) throws {
        let name = Self.reachable(host)
        let description = try storeFolder.writeKeyFiles(of: .of(store, at: "http://\(name):\(ports.plain)"))
        var output = StoreUpOutput(store: description, token: token)
        if let port = ports.tls { (output.tlsURL, output.tlsPort) = ("https://\(name):\(port)", port) }
        if json {
            try StandardOutput.lines([String(decoding: try WireJSON.encode(output), as: UTF8.self)])
        } else {
            let products = store.catalog.products.map(\.id)
            try StandardOutput.lines(output.lines(products: products, isTemporary: storeFolder.isTemporary, .detected()))
        }
    }

    /// Returns a host name for URLs: loopback for a wildcard address, and an IPv6 address in brackets.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0", "::": "127.0.0.1"
        default: host.contains(":") ? "[\(host)]" : host
        }
    }
}

/// The output of `tillroll store up` when the store is ready; scripts depend on the names of its members.
struct StoreUpOutput: Encodable {
    /// The store's description, with file paths in place of the PEM texts of the wire format.
    let store: StoreDescription
    /// The bearer token that clients must send; nil if the store requires no token, as by default on a loopback address.
    let token: String?
    /// The store's https URL; nil without `--tls-port`.
    var tlsURL: String?
    /// The store's port for TLS; nil without `--tls-port`.
    var tlsPort: Int?

    private enum CodingKeys: String, CodingKey {
        case console
        case token
        case tlsURL
        case tlsPort
    }

    func encode(to encoder: any Encoder) throws {
        try store.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(console, forKey: .console)
        try container.encodeIfPresent(token, forKey: .token)
        try container.encodeIfPresent(tlsURL, forKey: .tlsURL)
        try container.encodeIfPresent(tlsPort, forKey: .tlsPort)
    }

    /// The URL of the store's console, with the access token if one is required.
    var console: String {
        "\(store.url)/console/\(token.map { "?token=\($0)" } ?? "")"
    }

    /// Returns the output as lines of text, with commands to try.
    func lines(products: [ProductID], isTemporary: Bool, _ style: TerminalStyle) -> [String] {
        var table = TextTable()
        table.add("store", store.url)
        table.add("store with TLS", tlsURL)
        table.add("console", console)
        table.add("verifyReceipt", "\(store.sandboxVerifyReceipt) and \(store.productionVerifyReceipt)")
        table.add("Server API", "\(store.serverAPI) and \(store.productionServerAPI)")
        table.add("API key", "\(store.apiKey)  key ID \(store.keyID)  issuer ID \(store.issuerID)")
        table.add("root certificate", store.rootCertificate)
        table.add("app", "\(store.bundleID)  appAppleId \(store.appAppleID)")
        table.add("token", token)
        let tail = token == nil ? "" : " --token …"
        let address = store.url == StoreOptions.defaultAddress ? "" : " --store \(store.url)"
        let product = products.first?.rawValue ?? "PRODUCT"
        let empty = products.isEmpty ? ["", style.warning("The store sells nothing yet.") + " Start it with --storekit FILE."] : []
        return table.lines(style, indent: "") + empty + [
            "", style.faint("Try, in another terminal:"),
            "  tillroll store events --follow\(address)\(tail)",
            "  tillroll store buy \(TerminalText.safe(product)) --account jane@example.com\(address)\(tail)",
            "  tillroll store advance 30d\(address)\(tail)",
            "",
            isTemporary
                ? "Stop with control-C. The store is in memory and is lost then; keep its state with --folder."
                : "Stop with control-C. The next start with this folder continues from the current state.",
        ]
    }
}

/// The location of a running store's files: a permanent folder, or a temporary folder that is removed when the process ends.
struct StoreFolder {
    /// The folder's absolute path.
    let folder: String
    /// Whether the folder is temporary; the store is then in memory.
    let isTemporary: Bool
    private let lock: Int32

    /// Creates the folder if necessary, and locks it, because two processes must not run the same store.
    ///
    /// A nil path creates a temporary folder.
    ///
    /// - Throws: A usage error if the folder can't be created, or if another process has locked it.
    init(_ folder: String?) throws {
        isTemporary = folder == nil
        let url =
            folder.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory.appending(path: "tillroll-\(UUID().uuidString)")
        self.folder = url.standardizedFileURL.path
        do { try PrivateFiles.createFolder(self.folder) } catch {
            throw ValidationError("\(error): this path can't be created or is not a folder. Choose another folder with --folder.")
        }
        lock = open("\(self.folder)/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            if isTemporary { try? PrivateFiles.removeFolder(self.folder) }
            throw ValidationError("\(self.folder) is in use by another store, or can't be written. Choose another folder with --folder.")
        }
    }

    /// The path of the default store's database.
    var database: String { "\(folder)/store.sqlite" }
    /// The folder for the databases of other persistent stores on the same host.
    var stores: String { "\(folder)/stores" }

    /// Whether the folder contains the default store.
    var hasStore: Bool { FileManager.default.fileExists(atPath: database) }

    /// Writes `root.pem` and `api-key.p8`, and returns the description with their paths instead of PEM texts.
    ///
    /// - Throws: A usage error if the files can't be written.
    func writeKeyFiles(of description: StoreDescription) throws -> StoreDescription {
        try StoreKeyFiles(folder).writeKeyFiles(of: description)
    }

    /// Unlocks the folder, and removes it if it is temporary.
    func release() {
        remove()
        close(lock)
    }

    /// Removes the folder if it is temporary.
    func remove() {
        if isTemporary { try? PrivateFiles.removeFolder(folder) }
    }
}

/// Collects the ports of a store's listeners, which start independently.
final class StorePorts: Sendable {
    /// The ports of all listeners; `tls` is nil without TLS.
    struct Numbers: Sendable {
        var plain: Int
        var tls: Int?
    }

    private struct State {
        var plain: Int?
        var tls: Int?
    }

    private let state = Mutex(State())
    private let expectsTLS: Bool
    private let whenComplete: @Sendable (Numbers) -> Void

    /// Creates a collector that calls `whenComplete` when all expected ports are known.
    init(expectsTLS: Bool, whenComplete: @escaping @Sendable (Numbers) -> Void) {
        self.expectsTLS = expectsTLS
        self.whenComplete = whenComplete
    }

    /// Records the port of the HTTP listener.
    func set(plain port: Int) { update { $0.plain = port } }

    /// Records the port of the TLS listener.
    func set(tls port: Int) { update { $0.tls = port } }

    private func update(_ change: (inout State) -> Void) {
        let complete = state.withLock { state -> Numbers? in
            change(&state)
            guard let plain = state.plain, state.tls != nil || !expectsTLS else { return nil }
            return Numbers(plain: plain, tls: state.tls)
        }
        if let complete { whenComplete(complete) }
    }
}

/// A service that prints the requests to a store as they arrive.
struct RequestPrinter: Service {
    let store: LocalAppStore

    func run() async throws {
        var query = RequestQuery()
        (query.withoutControl, query.limit) = (true, .max)
        for await _ in store.requestChanges.cancelOnGracefulShutdown() {
            let (requests, last) = store.requests(query)
            query.after = last
            try StandardOutput.lines(requests.map { $0.line(.detected()) })
        }
    }
}

/// A service that announces a store when all its listeners have ports.
///
/// If the announcement fails, the process ends, because no client would know the store's address.
struct StoreAnnouncement: Service {
    /// A stream that delivers the ports when all listeners have started.
    let ports: AsyncStream<StorePorts.Numbers>
    /// Announces the store at the given ports.
    let announce: @Sendable (StorePorts.Numbers) throws -> Void

    func run() async throws {
        guard let found = await ports.cancelOnGracefulShutdown().first(where: { _ in true }) else { return }
        try announce(found)
        // The service waits, because a service that ends would end the whole group.
        try? await gracefulShutdown()
    }
}
