import Synchronization

/// The position of a request among the writes of the database.
///
/// The storage chooses between the primary and the replicas by ``required``, and records the positions of the request's writes.
package final class RequestPosition: Sendable {
    /// The position of the request that the task processes; nil for all other tasks, which read the primary.
    @TaskLocal package static var current: RequestPosition?

    /// The position that a replica must have reached to answer the request; nil if only the primary can answer.
    package let required: WritePosition?
    private let written = Mutex<WritePosition?>(nil)

    package init(required: WritePosition?) {
        self.required = required
    }

    /// The position after the writes of the request; nil for a request without writes.
    package var afterWrites: WritePosition? { written.withLock { $0 } }

    /// Records the position after a write of the request.
    package func record(_ position: WritePosition) {
        written.withLock { $0 = max($0 ?? position, position) }
    }
}
