import DequeModule

/// Assigns a pool's workers to waiters, in the order in which the waiters arrive.
///
/// The queue has no side effects; the pool resumes the waiters.
struct LeaseQueue<Worker, Waiter> {
    private var idle: [Worker]
    private var waiting: Deque<(waiterID: UInt64, waiter: Waiter)> = []

    init(_ workers: [Worker]) {
        idle = workers
    }

    /// The number of waiters that have no worker yet.
    var waiterCount: Int {
        waiting.count
    }

    /// Removes and returns the most recently used idle worker, whose connection is most likely open; returns nil if all are busy.
    mutating func acquire() -> Worker? {
        idle.popLast()
    }

    /// Appends a waiter with an identifier for its cancellation.
    mutating func enqueue(_ waiter: Waiter, waiterID: UInt64) {
        waiting.append((waiterID, waiter))
    }

    /// Ends the use of a worker, and returns the waiter that receives it next; returns nil if there is none and the worker becomes idle.
    mutating func release(_ worker: Worker) -> Waiter? {
        if let next = waiting.popFirst() { return next.waiter }
        idle.append(worker)
        return nil
    }

    /// Removes and returns a waiter; returns nil if the waiter has received a worker or was not enqueued.
    mutating func cancel(waiterID: UInt64) -> Waiter? {
        waiting.firstIndex { $0.waiterID == waiterID }.map { waiting.remove(at: $0).waiter }
    }
}
