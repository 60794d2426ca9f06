import Synchronization

/// The position of a request among the writes of the database.
///
/// The storage reads it to choose between the primary and the replicas, and records the writes of the request in it.
final class RequestPosition: Sendable {
    /// The position of the request that the task handles; nil for all other tasks, which read the primary.
    @TaskLocal static var current: RequestPosition?

    /// The position that a replica must have reached to answer the request; nil if only the primary can.
    let required: WritePosition?
    private let written = Mutex<WritePosition?>(nil)

    init(required: WritePosition?) {
        self.required = required
    }

    /// The position after the writes of the request; nil if it wrote nothing.
    var afterWrites: WritePosition? { written.withLock { $0 } }

    /// Records the position after a write of the request.
    func record(_ position: WritePosition) {
        written.withLock { $0 = max($0 ?? position, position) }
    }
}
