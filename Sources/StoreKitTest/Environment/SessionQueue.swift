import Dispatch
import Synchronization

/// Runs a session's work on separate threads, so that members which are not `async` can wait for it anywhere.
///
/// The pool of Swift's tasks has one thread for each core. A test that blocks one of these threads takes it away from the work for which
/// the test waits, and as many tests as cores would deadlock. Serial queues get additional threads.
final class SessionQueue: TaskExecutor {
    private let queue = DispatchQueue(label: "OpenStoreKitTest.session")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs the work, and blocks its caller until the result is available.
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

    /// The result of the work, for the waiting caller.
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
