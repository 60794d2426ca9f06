import Dispatch
import Foundation
package import Logging
package import PurchaseModel
import ServiceLifecycle

/// Ends the process a fixed time after the shutdown signal, even if requests are still open.
///
/// Answered requests are durable by then; open requests belong to slow clients. The service must be the last one of its group, so that it
/// receives the shutdown first.
package struct ShutdownDeadline: Service {
    private let limits: ConnectionLimits
    private let logger: Logger
    private let cleanUp: @Sendable () -> Void

    /// Creates the service.
    ///
    /// - Parameter cleanUp: A function to call before the process ends early.
    package init(_ limits: ConnectionLimits, logger: Logger, cleanUp: @escaping @Sendable () -> Void = {}) {
        self.limits = limits
        self.logger = logger
        self.cleanUp = cleanUp
    }

    /// Waits for the shutdown signal.
    package func run() async throws {
        try await gracefulShutdown()
        let seconds = Double(limits.shutdown.components.seconds) + Double(limits.shutdown.components.attoseconds) / 1e18
        // The deadline has its own thread, because blocked work can occupy all threads of the concurrency pool.
        Thread.detachNewThread { [logger, cleanUp] in
            Thread.sleep(forTimeInterval: seconds)
            logger.warning("the process ends with open requests")
            cleanUp()
            // `_exit` runs no exit handlers. Those of `exit` would run while other threads still use the resources that the handlers
            // release. No output is lost: the log goes to standard error, which has no buffer.
            _exit(0)
        }
    }
}
