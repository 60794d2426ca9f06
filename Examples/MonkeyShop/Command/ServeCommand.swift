import ArgumentParser
import Foundation
import Hummingbird
import Logging
import MonkeyShopUI
import NIOCore
import ServiceLifecycle
import WireServer

/// Serves the sample app's page to visitors.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the sample app as a web page, also to visitors from the internet.",
        discussion: """
            Each visitor has a store, a server and phones of their own, which are deleted after a pause. A visitor who returns earlier \
            continues, also after a restart. The page listens on 127.0.0.1. For a public page, a proxy terminates TLS, and forwards the \
            requests with their Host header; docs/demo-site.md has a configuration of nginx and a systemd unit. Stop the command with control-C or SIGTERM.

            Exit codes: 0 stopped, 64 wrong usage, such as a port in use.
            """
    )

    @Option(help: "The folder for the visitors' files.", transform: nonEmptyPath)
    var folder = ".tillroll-shop"

    @Option(help: "The port on 127.0.0.1; 0 for a free port.")
    var port = 7703

    @Option(help: "The host name of the page on the internet, such as shop.example.com.")
    var publicHost: String?

    @Option(help: "The maximum number of visitors at the same time, from 1 to 1000; each needs about 7 MB of memory.")
    var visitors = 100

    @Option(help: "The pause in minutes after which a visitor's phones, store and server are deleted, from 1 to 1440.")
    var idleMinutes = 30

    @OptionGroup var app: AppProcessOptions

    @Flag(help: "Print the address as a JSON object on one line instead of text.")
    var json = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("Invalid port \(port): give a number from 0 to 65535.") }
        guard (1...1_000).contains(visitors) else { throw ValidationError("Invalid number of visitors \(visitors): give 1 to 1000.") }
        guard (1...1_440).contains(idleMinutes) else { throw ValidationError("Invalid pause \(idleMinutes): give 1 to 1440 minutes.") }
        if let publicHost,
            publicHost.isEmpty || !publicHost.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-.:".contains($0)) })
        {
            throw ValidationError("Invalid host name \(publicHost): give the name without scheme and path, such as shop.example.com.")
        }
    }

    func run() async throws {
        let signals = await StopSignals()
        var logger = Logger(label: "monkeyshop", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .warning
        let lock = try FolderLock(folder)
        var limits = ShopLimits()
        (limits.visitors, limits.idleSeconds) = (visitors, Int64(idleMinutes) * 60)
        raiseFileLimit()
        let site = try ShopSite(
            folder: "\(folder)/visitors", publicHost: publicHost, appExecutable: app.executable, limits: limits, logger: logger)
        let application = site.application(port: port, logger: logger) { port in
            let address = "http://127.0.0.1:\(port)/"
            StandardOutput.line(json ? "{\"shop\":\"\(address)\"}" : "The app  \(address)   (open it in a browser; stop it with control-C)")
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [application, ShutdownDeadline(.development, logger: logger)], logger: logger))
        do {
            try await site.visitors.run { try await signals.run(group) }
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ValidationError("Port \(port) is taken. Choose another port with --port; 0 is a free port.")
        }
        _ = consume lock
    }

    /// Raises the limit of open files to the permitted maximum, because each visitor has several databases and connections.
    private func raiseFileLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
