import Hummingbird
import Logging
import PurchaseModel

extension Router<BasicRequestContext> {
    /// Serves the routes on a loopback port until the process ends, and returns the base address.
    func serve() async throws -> HTTPURL {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: self, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
        Task { try await application.run() }
        guard let port = await ports.first(where: { _ in true }), let url = HTTPURL("http://127.0.0.1:\(port)") else {
            throw CancellationError()
        }
        return url
    }
}
