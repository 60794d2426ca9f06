import Dispatch
import Synchronization

/// A thread of its own, as an actor or as what a task prefers, which may be held up, and which can be recognized.
actor Place {
    private static let key = DispatchSpecificKey<Bool>()

    /// Runs everything on one queue.
    final class Executor: SerialExecutor, TaskExecutor {
        private let queue = DispatchQueue(label: "Place")
        private let hears = Mutex<(@Sendable () -> Void)?>(nil)

        init() {
            queue.setSpecific(key: Place.key, value: true)
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            hears.withLock { $0 }?()
            queue.async { job.runSynchronously(isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor()) }
        }

        /// Has something called by whoever has something run, on their thread.
        func hear(_ body: (@Sendable () -> Void)?) {
            hears.withLock { $0 = body }
        }

        /// Returns when everything before has run as far as it could.
        func pass() async {
            await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        }
    }

    nonisolated let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Whether this is its thread.
    static var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Listens as long as there is something to hear.
    func listen<Elements: AsyncSequence & Sendable>(
        to elements: Elements, _ body: @Sendable (Elements.Element) -> Void
    ) async where Elements.Failure == Never {
        for await element in elements { body(element) }
    }
}
