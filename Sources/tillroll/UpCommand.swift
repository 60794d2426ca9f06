import ArgumentParser
import Foundation
import Hummingbird
import LocalAppStore
import Logging
import NIOCore
import PrivateFiles
import PurchaseConsole
import PurchaseModel
import PurchaseServer
import ServiceLifecycle
import TillrollTour
import UnixSignals
import WireServer

/// Runs a store and a server with the sample's products and files.
struct UpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Run a local App Store and a purchase server, with the sample's products in them.",
        discussion: "Both keep their state in the folder and go on where they stopped. Stop them with control-C."
    )

    @Option(help: "Where state, content and the store's root certificates are kept.", transform: givenPath)
    var folder: String = ".tillroll"

    @Option(help: "The store's port on 127.0.0.1; 0 takes a free one.")
    var storePort = 7701

    @Option(help: "The server's port on 127.0.0.1; 0 takes a free one.")
    var serverPort = 7702

    @Flag(help: "Print the addresses as one JSON object a line instead of text.")
    var json = false

    func validate() throws {
        for port in [storePort, serverPort] where !(0...65_535).contains(port) {
            throw ValidationError("A port is a number from 0 to 65535.")
        }
    }

    func run() async throws {
        let signals = await StopSignals()
        var logger = Logger(label: "tillroll", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .warning
        let lock = try lockFolder()
        defer { close(lock) }
        let store: LocalAppStore
        do { store = try await SampleBackend.store(in: folder, logger: logger) } catch {
            throw ValidationError("The store in \(folder) can't be opened. \(error)")
        }
        let roots = "\(folder)/store-roots.pem"
        do { try DurableFile.replace(roots, with: Data(store.rootsPEM.utf8), isPublic: true) } catch {
            throw ValidationError("\(roots) can't be written; choose another folder with --folder, or move what is in its place.")
        }
        let (ports, portFound) = AsyncStream.makeStream(of: Int.self)
        let storeApplication = store.application(
            hostname: "127.0.0.1",
            port: storePort,
            page: "console/",
            onServerRunning: { portFound.yield($0) },
            addRoutes: StoreConsole().addRoutes
        )
        let starter = ServerStarter(
            folder: folder,
            port: serverPort,
            store: store,
            ports: ports,
            rootsFile: roots,
            json: json,
            logger: logger
        )
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [storeApplication] + store.services + [starter, ShutdownDeadline(.development, logger: logger)],
                logger: logger
            )
        )
        do {
            try await signals.run(group)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ValidationError(
                "Port \(storePort) or \(serverPort) is taken; choose others with --store-port and --server-port, or 0 for free ones."
            )
        }
    }

    /// Locks the folder for this process.
    ///
    /// Two stores with one clock, or two addresses for one store, would disturb each other.
    private func lockFolder() throws -> Int32 {
        do { try PrivateFiles.makeFolder(folder) } catch {
            throw ValidationError("\(error): it can't be made or is no folder. Choose another with --folder.")
        }
        let lock = open("\(folder)/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw ValidationError("\(folder) is in use by another `tillroll up`, or can't be written; choose another with --folder.")
        }
        return lock
    }
}
