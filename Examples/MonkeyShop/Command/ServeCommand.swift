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
            Each visitor has a separate store, server and phones, which are deleted when the visitor has been idle for --idle-minutes. A \
            visitor who returns earlier continues, even after a restart of the command. The page listens on 127.0.0.1. A public page \
            needs a proxy that terminates TLS and forwards the requests with their Host header; docs/demo-site.md has a configuration of \
            nginx and a systemd unit. Stop the command with control-C or SIGTERM.

            Exit codes: 0 stopped, 64 wrong usage, such as a port in use.
            """
    )

    @Option(help: "The folder for the files of all visitors.", transform: nonEmptyPath)
    var folder = ".tillroll-shop"

    @Option(help: "The port on 127.0.0.1; 0 for a free port.")
    var port = 7703

    @Option(help: "The host name of the page on the internet, such as shop.example.com.")
    var publicHost: String?

    @Option(help: "The maximum number of visitors at the same time, from 1 to 1000; each visitor needs about 7 MB of memory.")
    var visitors = 100

    @Option(help: "The idle time in minutes, from 1 to 1440, after which a visitor's phones, store and server are deleted.")
    var idleMinutes = 30

    @OptionGroup var app: AppProcessOptions

    @Flag(help: "Print the address as a JSON object on one line instead of text.")
    var json = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("Invalid port \(port): give a number from 0 to 65535.") }
        guard (1...1_000).contains(visitors) else { throw ValidationError("Invalid number of visitors \(visitors): give 1 to 1000.") }
        guard (1...1_440).contains(idleMinutes) else { throw ValidationError("Invalid idle time \(idleMinutes): give 1 to 1440 minutes.") }
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
            StandardOutput.line(json ? "{\"shop\":\"\(address)\"}" : "The app  \(address)   (for a browser; control-C stops the page)")
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [application, ShutdownDeadline(.development, logger: logger)], logger: logger))
        do {
            try await site.visitors.run { try await signals.run(group) }
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ValidationError("Port \(port) is taken. Choose another port with --port, or 0 for a free one.")
        }
        _ = consume lock
    }

    /// Raises the limit of open files to the permitted maximum, because each visitor needs several databases and connections.
    private func raiseFileLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
