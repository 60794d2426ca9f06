import Dispatch
import Synchronization

/// Runs a session's work on threads of its own, so that members which are not `async` can wait for it anywhere.
///
/// The pool of Swift's tasks has one thread for each core. A test that waits on one of them takes it away from the work it waits for,
/// and as many tests as there are cores would wait for ever. Serial queues get threads besides those.
final class SessionQueue: TaskExecutor {
    private let queue = DispatchQueue(label: "OpenStoreKitTest.session")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Returns what came of the work, and holds its caller until then.
    ///
    /// The work must not wait for tasks that run elsewhere.
    func wait<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        Task(executorPreference: self) {
            do {
                outcome.set(.success(try await work()))
            } catch {
                outcome.set(.failure(error))
            }
        }
        return try outcome.value()
    }

    /// What came of the work, for the one who waits for it.
    private final class Outcome<Value: Sendable>: Sendable {
        private let result = Mutex<Result<Value, any Error>?>(nil)
        private let done = DispatchSemaphore(value: 0)

        func set(_ result: Result<Value, any Error>) {
            self.result.withLock { $0 = result }
            done.signal()
        }

        func value() throws -> Value {
            done.wait()
            guard let result = result.withLock({ $0 }) else { throw CancellationError() }
            return try result.get()
        }
    }
}
