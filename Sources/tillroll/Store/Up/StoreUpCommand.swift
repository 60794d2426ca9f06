import ArgumentParser
import Foundation
import Hummingbird
import LocalAppStore
import Logging
import NIOCore
import PurchaseConsole
import PurchaseModel
import PurchaseProtocol
import ServiceLifecycle
import UnixSignals
import WireServer

/// Runs a store until it is stopped.
struct StoreUpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Run a local App Store until control-C or SIGTERM.",
        discussion: """
            When the store is ready it prints its addresses; with --json they are one object on one line: url, \
            sandbox_verify_receipt, production_verify_receipt, server_api, production_server_api, root_certificate (a PEM file), \
            api_key (a .p8 file), key_id, issuer_id, bundle_id, app_apple_id, console, and token, tls_url and tls_port where there are such.

              tillroll store up --storekit Shop.storekit
              tillroll store up --storekit Shop.storekit --port 0 --json
              tillroll store up --storekit Shop.storekit --folder shop --tls-port 7743

            By TLS the store has a certificate of its own root for any host name that a client asks for.

            Exit codes: 0 stopped, also while it starts, 1 the .storekit file can't be used, 64 wrong usage, such as a port that is taken \
            or a folder that holds no store.
            """
    )

    @Option(help: ArgumentHelp("What the store sells; nothing without it.", valueName: "file"), transform: givenPath) var storekit: String?
    @Option(help: "The port; 0 takes a free one.") var port = 7701
    @Option(help: "A further port, for TLS; 0 takes a free one. Without it there is no TLS.") var tlsPort: Int?
    @Option(help: "The address to listen on; other machines reach 0.0.0.0, and then a token is needed.") var host = "127.0.0.1"
    @Option(help: "Where the store is kept, and goes on from at the next start; without it it is in memory.", transform: givenPath)
    var folder: String?
    @Option(help: "The app; \(LocalAppStoreConfiguration.defaultBundleID) unless the folder knows better.") var bundleID: String?
    @Option(help: "What verifyReceipt demands as password; without it any will do.") var sharedSecret: String?
    @Option(help: ArgumentHelp("Where notifications go.", valueName: "url")) var notify: String?
    @Flag(help: "Try notifications of the sandbox again as those of production, which Apple's sandbox does not.") var retrySandbox = false
    @Option(help: "What people and tests have to show; one is made up where other machines can reach the store.") var token: String?
    @Flag(help: "Print the addresses as one JSON object on one line instead of text.") var json = false

    func validate() throws {
        guard (0...65_535).contains(port), (0...65_535).contains(tlsPort ?? 0) else {
            throw ValidationError("A port is a number from 0 to 65535.")
        }
        if let notify, HTTPURL(notify) == nil {
            throw ValidationError("--notify \(notify) is not an http or https URL with a host and a port from 1 to 65535.")
        }
        guard token?.isEmpty != true else { throw ValidationError("An empty --token keeps nobody out.") }
    }

    func run() async throws {
        StandardStreams.prepare()
        // Signals are held before the first file is created, so that no file is left behind.
        let signals = await StopSignals()
        let catalog = try storekit.map { try StorekitFile($0).catalog() }
        let place = try StorePlace(folder)
        defer { place.leave() }
        var logger = Logger(label: "tillroll", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .warning
        let store = try await open(at: place, selling: catalog, logger)
        let stores: StoreHost
        do { stores = try await StoreHost(standard: store, folder: place.isTemporary ? nil : place.stores, logger: logger) } catch {
            throw ValidationError("A store in \(place.stores) can't be opened. \(error)")
        }
        let token = token ?? (StoreHost.isLoopback(host) ? nil : Self.madeUpToken())
        let (found, finding) = AsyncStream.makeStream(of: StorePorts.Found.self)
        let ports = StorePorts(expectsTLS: tlsPort != nil) { finding.yield($0) }
        let announcement = StoreAnnouncement(ports: found) { [self] ports in
            try announce(store, at: place, ports, token: token, selling: catalog)
        }
        var services: [any Service] = [
            stores.application(
                hostname: host, port: port, token: token, page: "console/", onServerRunning: { ports.found(plain: $0) },
                addRoutes: StoreConsole().addRoutes)
        ]
        if let tlsPort {
            let application = try stores.tlsApplication(
                hostname: host, port: tlsPort, token: token, page: "console/", onServerRunning: { ports.found(tls: $0) },
                addRoutes: StoreConsole().addRoutes)
            services.append(application)
        }
        services += stores.services
        services.append(announcement)
        services.append(ShutdownDeadline(.development, logger: logger, cleanUp: place.remove))
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services, logger: logger)
        )
        do {
            try await signals.run(group)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ValidationError("\(wishes) of \(host) is taken; choose another, or 0 for a free one.")
        } catch let error as IOError {
            let reason = SystemError(number: error.errnoCode)
            throw ValidationError("Nobody can listen on \(wishes) of \(host): \(reason). Choose others with --host and --port.")
        } catch is SocketAddressError.UnknownHost {
            throw ValidationError("--host \(host) is no address of this machine; 127.0.0.1 is for this machine only, 0.0.0.0 for all.")
        }
    }

    /// The requested ports, for messages.
    private var wishes: String {
        tlsPort.map { "--port \(port) or --tls-port \($0)" } ?? "--port \(port)"
    }

    /// Opens the store in the folder, changed as the command line requests, or creates a store.
    private func open(at place: StorePlace, selling catalog: Catalog?, _ logger: Logger) async throws -> LocalAppStore {
        var configuration = LocalAppStoreConfiguration(
            bundleID: bundleID.map { BundleID($0) } ?? LocalAppStoreConfiguration.defaultBundleID, catalog: catalog ?? .empty,
            database: place.isTemporary ? .memory : .file(place.database), sharedSecret: sharedSecret
        )
        configuration.isReopened = place.hasStore && bundleID == nil
        configuration.notificationRetries = retrySandbox ? .production : .sandbox
        let store: LocalAppStore
        do { store = try await LocalAppStore(configuration: configuration, logger: logger) } catch {
            throw ValidationError("The store in \(folder ?? "memory") can't be opened. \(error)")
        }
        var change = AppRequest()
        if !place.isTemporary {
            change.storekit = catalog.map { JSONText($0.storekit) }
            change.sharedSecret = sharedSecret
        }
        change.sandboxURL = notify
        change.productionURL = notify
        do { try await store.set(change) } catch { throw ValidationError("--notify: \(error)") }
        return store
    }

    /// An unguessable token.
    private static func madeUpToken() -> String {
        (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }

    /// Announces that the store is ready.
    ///
    /// - Throws: A usage error if the files for a developer's server can't be written.
    private func announce(
        _ store: LocalAppStore, at place: StorePlace, _ ports: StorePorts.Found, token: String?, selling catalog: Catalog?
    ) throws {
        let name = Self.reachable(host)
        let description = try place.publish(.of(store, at: "http://\(name):\(ports.plain)"))
        var answer = StoreUpAnswer(store: description, token: token)
        if let port = ports.tls { (answer.tlsURL, answer.tlsPort) = ("https://\(name):\(port)", port) }
        if json {
            try StandardOutput.lines([String(decoding: try WireJSON.encode(answer), as: UTF8.self)])
        } else {
            let products = (catalog?.products ?? []).map(\.id)
            try StandardOutput.lines(answer.lines(sells: products, isForgotten: place.isTemporary, .suiting()))
        }
    }

    /// The host name by which this machine reaches a wildcard address.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0", "::": "127.0.0.1"
        default: host.contains(":") ? "[\(host)]" : host
        }
    }
}
