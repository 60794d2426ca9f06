/// The assignment of idle workers to waiters, in the order of their arrival.
///
/// The queue is a value without side effects; the pool resumes the waiters.
struct LeaseQueue<Worker, Waiter> {
    private var idle: [Worker]
    private var waiting: [(waiterID: UInt64, waiter: Waiter)] = []

    init(_ workers: [Worker]) {
        idle = workers
    }

    /// The number of waiters.
    var waiterCount: Int {
        waiting.count
    }

    /// Removes the most recently used idle worker, whose connection is the most likely to be open; nil when all workers are busy.
    mutating func acquire() -> Worker? {
        idle.popLast()
    }

    /// Appends a waiter.
    mutating func enqueue(_ waiter: Waiter, waiterID: UInt64) {
        waiting.append((waiterID, waiter))
    }

    /// Returns a worker, and the longest waiting waiter that receives it; nil when the worker becomes idle.
    mutating func release(_ worker: Worker) -> Waiter? {
        if waiting.isEmpty {
            idle.append(worker)
            return nil
        }
        return waiting.removeFirst().waiter
    }

    /// Removes a waiter; nil when the waiter has received a worker or was never enqueued.
    mutating func cancel(waiterID: UInt64) -> Waiter? {
        waiting.firstIndex { $0.waiterID == waiterID }.map { waiting.remove(at: $0).waiter }
    }
}
