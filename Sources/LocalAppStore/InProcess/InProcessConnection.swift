import Hummingbird
import Logging
import NIOCore
import Synchronization

/// A substitute for the network connection of an in-process request.
final class InProcessConnection: Sendable {
    private let closed = Mutex(false)

    /// Whether the connection was closed.
    var isClosed: Bool { closed.withLock { $0 } }

    /// Closes the connection, so that the client gets no response.
    func close() {
        closed.withLock { $0 = true }
    }
}

/// The source from which Hummingbird creates the context of an in-process request.
struct InProcessSource: RequestContextSource {
    let logger: Logger
}
