import Dispatch
import Foundation
package import Logging
package import PurchaseModel
import ServiceLifecycle

/// Ends the process some time after it was told to stop, whatever still hangs.
///
/// What was answered is kept by then; what hangs is a client that takes its time. It must be the last service of its group, so that
/// it is told first.
package struct ShutdownDeadline: Service {
    private let limits: ConnectionLimits
    private let logger: Logger
    private let cleanUp: @Sendable () -> Void

    /// Creates the service.
    ///
    /// - Parameter cleanUp: What has to happen before the process ends early.
    package init(_ limits: ConnectionLimits, logger: Logger, cleanUp: @escaping @Sendable () -> Void = {}) {
        self.limits = limits
        self.logger = logger
        self.cleanUp = cleanUp
    }

    /// Waits until the process is told to stop.
    package func run() async throws {
        try await gracefulShutdown()
        let seconds = Double(limits.shutdown.components.seconds) + Double(limits.shutdown.components.attoseconds) / 1e18
        // A thread of its own: what hangs may hold every one that tasks run on.
        Thread.detachNewThread { [logger, cleanUp] in
            Thread.sleep(forTimeInterval: seconds)
            logger.warning("requests that did not end were cut off")
            cleanUp()
            // Not `exit`, whose handlers would run beside the threads that still use what they take down. Nothing is lost with it:
            // standard error, where it logs, has no buffer.
            _exit(0)
        }
    }
}
