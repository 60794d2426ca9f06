import Configuration
import Hummingbird
import Logging
import PurchaseConsole
import PurchaseMaintenance
import PurchaseServer
import Release
import ServiceLifecycle
import UnixSignals
import WireServer

/// The process of `tillroll-server`, with the purchase server and the console.
struct ServerProcess {
    private let configuration: PurchaseServerConfiguration
    private let host: String
    private let port: Int
    private let consolePort: Int?
    private let metricsHost: String
    private let metricsPort: Int?
    private let logLevel: Logger.Level
    private let logsJSON: Bool

    /// Reads the configuration of the server, and the keys `host`, `port`, `console-port`, `metrics-host`, `metrics-port`
    /// `log-level` and `log-format`.
    ///
    /// - Throws: `ConfigurationError` if a value is missing or invalid.
    init(reader: ConfigReader) throws {
        configuration = try PurchaseServerConfiguration(reader: reader)
        let scope = ConfigurationScope(reader)
        host = try scope.text("host") ?? "127.0.0.1"
        port = try Self.port("port", scope) ?? 8080
        consolePort = try Self.port("console-port", scope)
        metricsHost = try scope.text("metrics-host") ?? "127.0.0.1"
        metricsPort = try Self.port("metrics-port", scope)
        let level = try scope.text("log-level") ?? "info"
        guard let logLevel = Logger.Level(rawValue: level) else { throw ConfigurationError.logLevel(level) }
        self.logLevel = logLevel
        let format = try scope.text("log-format") ?? "text"
        guard format == "text" || format == "json" else { throw ConfigurationError.logFormat(format) }
        logsJSON = format == "json"
    }

    /// Serves until SIGTERM or SIGINT, and then completes open requests within `limits.shutdown-seconds`.
    func run() async throws {
        LoggingSystem.bootstrap { [logsJSON] label in
            let handler: any LogHandler = logsJSON ? JSONLogHandler.standardError(label) : StreamLogHandler.standardError(label: label)
            return handler
        }
        var logger = Logger(label: "tillroll-server")
        logger.logLevel = logLevel
        let server = try await PurchaseServer(
            configuration: configuration, logger: logger, comparison: PolicyReplay.catalogComparison)
        server.report(version: ReleaseVersion.current)
        try await server.checkAddresses()
        let application = server.application(hostname: host, port: port) { [logger, host] port in
            logger.info("listening", metadata: ["host": "\(host)", "port": "\(port)"])
        }
        var services: [any Service] = [ListeningService(base: application, key: "port", host: host, port: port)]
        services += server.services
        if let consolePort {
            let console = try console(of: server, port: consolePort, logger: logger)
            services.append(ListeningService(base: console, key: "console-port", host: "127.0.0.1", port: consolePort))
        }
        if let metricsPort {
            let metrics = server.metricsApplication(hostname: metricsHost, port: metricsPort) { [logger, metricsHost] port in
                logger.info("metrics listening", metadata: ["url": "http://\(metricsHost):\(port)/metrics"])
            }
            services.append(ListeningService(base: metrics, key: "metrics-port", host: metricsHost, port: metricsPort))
        }
        services.append(ShutdownDeadline(configuration.limits, logger: logger))
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        )
        try await group.run()
    }

    /// Returns the application that serves the console on a separate port.
    ///
    /// The console requires no authentication, so the server listens on 127.0.0.1 and accepts only requests with a loopback host name.
    private func console(of server: PurchaseServer, port: Int, logger: Logger) throws -> some ApplicationProtocol & Service {
        let gate = ConnectionGate(configuration.limits, logger: logger)
        let router = Router()
        router.add(middleware: LoopbackMiddleware())
        try Console(server).addRoutes(to: router)
        return gate.application(of: router.buildResponder(), hostname: "127.0.0.1", port: port) { port in
            logger.info("console listening", metadata: ["url": "http://127.0.0.1:\(port)/console"])
        }
    }

    /// Reads a port from 0 to 65535; returns nil for a missing key.
    private static func port(_ key: String, _ scope: ConfigurationScope) throws(ConfigurationError) -> Int? {
        guard let text = try scope.text(key) else { return nil }
        guard let port = Int(text), (0...65535).contains(port) else { throw .port(key: key) }
        return port
    }
}
