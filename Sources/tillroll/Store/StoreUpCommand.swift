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
import WireServer

/// Runs a local App Store until it is stopped.
struct StoreUpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Run a local App Store until control-C or SIGTERM.",
        discussion: """
            When the store is ready, the command prints its addresses. With --json they are one JSON object on one line: url, \
            sandboxVerifyReceipt, productionVerifyReceipt, serverAPI, productionServerAPI, rootCertificate (path of a PEM file), \
            apiKey (path of a .p8 file), keyID, issuerID, bundleID, appAppleID, console and pid; token if one is required; tlsURL and \
            tlsPort with --tls-port; log with --detach.

              tillroll store up --storekit Shop.storekit
              tillroll store up --storekit Shop.storekit --port 0 --json
              tillroll store up --storekit Shop.storekit --folder shop --tls-port 7743
              tillroll store up --storekit Shop.storekit --port 0 --detach

            With TLS, the store presents a certificate for any host name that a client requests, with the root rootCertificate.

            With --detach the store runs in the background, and the command returns when the store responds; if it does not start, the \
            command prints the cause and returns the exit code. `store env` prints the addresses and keys for a shell, and \
            `store down` stops the store. Later messages are in a log beside the ready file.
            """,
        exitCodes: ExitCodeFooter(
            success: "stopped, or with --detach ready", refused: "the .storekit file is invalid",
            indeterminate: "stopped before it was ready with --detach",
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
        help: "Print a line for each request to the default store, except to the control API (default: on a terminal without --detach).")
    var requests: Bool?
    @Flag(help: "End the store when standard input ends, so that it does not outlive the process that started it.")
    var untilInputEnds = false
    @Flag(help: "Run the store in the background, and return when it responds.") var detach = false
    @Option(
        help: ArgumentHelp(
            "The file that describes the store, as --json, while it responds (default: none; with --detach \(ReadyFile.defaultPath)).",
            valueName: "file"), transform: nonEmptyPath)
    var readyFile: String?
    @Option(
        help: ArgumentHelp("The log of a store in the background (default: the ready file, with the extension log).", valueName: "file"),
        transform: nonEmptyPath)
    var logFile: String?
    @Flag(help: .private) var backgroundProcess = false
    @Flag(help: "Print the addresses as one JSON object on one line instead of text.") var json = false

    func validate() throws {
        guard (0...65_535).contains(port), (0...65_535).contains(tlsPort ?? 0) else {
            throw ValidationError("Invalid --port or --tls-port: give a number from 0 to 65535.")
        }
        if let notify, HTTPURL(notify) == nil {
            throw ValidationError("Invalid --notify \(notify): give an http or https URL with a host and a port from 1 to 65535.")
        }
        guard token?.isEmpty != true else { throw ValidationError("Empty --token: give a token, or leave the option out.") }
        guard !detach || !untilInputEnds && storekit != "-" else {
            throw ValidationError("A store in the background has no standard input: leave out --until-input-ends, and give a file.")
        }
        guard detach || logFile == nil else {
            throw ValidationError("--log-file is the log of a store in the background: give --detach, too, or redirect standard error.")
        }
    }

    func run() async throws {
        StandardStreams.prepare()
        guard !detach || backgroundProcess else { return try await BackgroundStart.run() }
        // Defer signals before the first file is created, so that no file remains after an early signal.
        let signals = await StopSignals()
        let background = backgroundProcess ? BackgroundProcess() : nil
        let readyFile = try (readyFile ?? (detach ? ReadyFile.defaultPath : nil)).map(ReadyFile.init(reserving:))
        // Remove the ready file last, so that the ports and the folder are free for another store when `store down` returns.
        defer { readyFile?.remove() }
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
            try await announce(store, at: storeFolder, ports, token: token, readyFile, background)
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
        if requests ?? (!json && !detach && isatty(STDOUT_FILENO) == 1) { services.append(RequestPrinter(store: store)) }
        let deadline = ShutdownDeadline(.development, logger: logger) {
            storeFolder.remove()
            readyFile?.remove()
        }
        services.append(deadline)
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

    /// Writes the key files and the ready file, and prints the addresses of the ready store.
    ///
    /// - Throws: A usage error if the root certificate, the API key, the log or the ready file can't be written.
    private func announce(
        _ store: LocalAppStore, at storeFolder: StoreFolder, _ ports: StorePorts.Numbers, token: String?, _ readyFile: ReadyFile?,
        _ background: BackgroundProcess?
    ) async throws {
        let name = Self.reachable(host)
        let description = try storeFolder.writeKeyFiles(of: .of(store, at: "http://\(name):\(ports.plain)"))
        var output = StoreUpOutput(store: description, token: token, pid: ProcessInfo.processInfo.processIdentifier)
        if let port = ports.tls { (output.tlsURL, output.tlsPort) = ("https://\(name):\(port)", port) }
        if let readyFile {
            try await output.checkResponse()
            if let background {
                let log = logFile.map { URL(filePath: $0).standardizedFileURL.path } ?? readyFile.logPath
                try background.openLog(log)
                output.log = log
            }
            try readyFile.publish(try output.line())
        }
        if json {
            try StandardOutput.lines([try output.line()])
        } else {
            let products = store.catalog.products.map(\.id)
            let file = background == nil ? nil : readyFile
            try StandardOutput.lines(
                output.lines(products: products, isTemporary: storeFolder.isTemporary, readyFile: file, .detected()))
        }
        background?.reportReady()
    }

    /// Returns a host name for URLs: loopback for a wildcard address, and an IPv6 address in brackets.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0", "::": "127.0.0.1"
        default: host.contains(":") ? "[\(host)]" : host
        }
    }
}
