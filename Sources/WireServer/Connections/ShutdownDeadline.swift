import Dispatch
import Foundation
public import Logging
public import ServiceLifecycle

/// Ends the process a fixed time after the shutdown signal, even if requests are still open.
///
/// The results of answered requests are durable at this time, and the open requests belong to slow clients. The service must be the last
/// service of its `ServiceGroup`, so that it receives the shutdown signal first.
public struct ShutdownDeadline: Service {
    private let limits: ConnectionLimits
    private let logger: Logger
    private let cleanUp: @Sendable () -> Void

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - limits: The limits of the servers, which contain the deadline.
    ///   - logger: The log for a process that the deadline ends.
    ///   - cleanUp: A function that is called before the deadline ends the process.
    public init(_ limits: ConnectionLimits, logger: Logger, cleanUp: @escaping @Sendable () -> Void = {}) {
        self.limits = limits
        self.logger = logger
        self.cleanUp = cleanUp
    }

    /// Waits for the shutdown signal, and then starts the deadline.
    public func run() async throws {
        try await gracefulShutdown()
        let seconds = Double(limits.shutdown.components.seconds) + Double(limits.shutdown.components.attoseconds) / 1e18
        // The deadline has its own thread, because blocked work can occupy all threads of the concurrency pool.
        Thread.detachNewThread { [logger, cleanUp] in
            Thread.sleep(forTimeInterval: seconds)
            logger.warning("the shutdown deadline of \(seconds) seconds passed; the process ends with open requests")
            cleanUp()
            // `_exit` runs no exit handlers, and `exit` would run exit handlers that release resources while other threads still use them.
            // No output is lost, because the log goes to standard error, which has no buffer.
            _exit(0)
        }
    }
}
