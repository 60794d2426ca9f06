import Dispatch
import Synchronization

/// An actor and task executor with a dedicated, identifiable dispatch queue that a test may block.
actor QueueActor {
    private static let key = DispatchSpecificKey<Bool>()

    /// Runs all jobs on one serial queue.
    final class Executor: SerialExecutor, TaskExecutor {
        private let queue = DispatchQueue(label: "QueueActor")
        private let enqueueHandler = Mutex<(@Sendable () -> Void)?>(nil)

        init() {
            queue.setSpecific(key: QueueActor.key, value: true)
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            enqueueHandler.withLock { $0 }?()
            queue.async { job.runSynchronously(isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor()) }
        }

        /// Sets a handler that is called for each enqueued job, on the enqueuing thread; nil removes it.
        func onEnqueue(_ body: (@Sendable () -> Void)?) {
            enqueueHandler.withLock { $0 = body }
        }

        /// Returns when all jobs that were enqueued before have run.
        func drain() async {
            await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        }
    }

    nonisolated let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Whether the current code runs on this executor's queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Calls `body` for each element until the sequence ends.
    func listen<Elements: AsyncSequence & Sendable>(
        to elements: Elements, _ body: @Sendable (Elements.Element) -> Void
    ) async where Elements.Failure == Never {
        for await element in elements { body(element) }
    }
}
