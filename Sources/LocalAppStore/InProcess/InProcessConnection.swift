import Hummingbird
import Logging
import NIOCore
import Synchronization

/// A substitute for the connection of an in-process request.
final class InProcessConnection: Sendable {
    private let closed = Mutex(false)

    /// Whether the connection was closed.
    var isClosed: Bool { closed.withLock { $0 } }

    /// Closes the connection: no response arrives.
    func close() {
        closed.withLock { $0 = true }
    }
}

/// The source of an in-process request's context.
struct InProcessSource: RequestContextSource {
    let logger: Logger
}
