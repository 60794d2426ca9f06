import Hummingbird
import Logging
import NIOCore
import Synchronization

/// What stands for the connection of a request that came by none.
final class InProcessConnection: Sendable {
    private let cut = Mutex(false)

    /// Whether it was cut off.
    var isCut: Bool { cut.withLock { $0 } }

    /// Cuts it off: no answer arrives.
    func close() {
        cut.withLock { $0 = true }
    }
}

/// Where the context of such a request comes from.
struct InProcessSource: RequestContextSource {
    let logger: Logger
}
