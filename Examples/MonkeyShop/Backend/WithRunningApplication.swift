public import Hummingbird
public import Logging
import ServiceLifecycle

/// Runs an application, and calls `body` when the application listens.
///
/// The application stops when `body` returns or throws.
///
/// - Parameters:
///   - make: Creates the application, which calls `onServerRunning` with its port.
///   - logger: The log of the application's start and stop.
///   - body: Called with the port of the application.
/// - Returns: The result of `body`.
/// - Throws: The error of `body` or of the application; `CancellationError` if the application ends before listening.
public func withRunningApplication<Application: ApplicationProtocol, Result: Sendable>(
    _ make: (_ onServerRunning: @escaping @Sendable (Int) async -> Void) -> Application,
    _ logger: Logger,
    body: @Sendable (Int) async throws -> Result
) async throws -> Result {
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    let application = make { port in
        continuation.yield(port)
        continuation.finish()
    }
    let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: logger))
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { continuation.finish() }
            try await group.run()
        }
        guard let port = await ports.first(where: { _ in true }) else {
            try await tasks.waitForAll()
            throw CancellationError()
        }
        do {
            let result = try await body(port)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        } catch {
            await group.triggerGracefulShutdown()
            try? await tasks.waitForAll()
            throw error
        }
    }
}
