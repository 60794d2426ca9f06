public import Hummingbird
public import Logging
import ServiceLifecycle

/// Runs `body` with the listening port of an application that runs meanwhile, and returns the result of `body`.
///
/// The application ends when `body` returns or throws.
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
