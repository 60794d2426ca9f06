import Dispatch
import OpenStoreKit
import Synchronization

/// Runs a test session's work on a Dispatch queue, so that synchronous methods can wait for the work.
///
/// The thread pool of Swift's tasks has one thread for each core. If the work ran in this pool, tests that wait could block all threads of
/// the pool, and the work could never run. Dispatch provides additional threads for serial queues.
final class SessionQueue: Sendable {
    /// The executor of the session's tasks.
    let executor = DispatchTaskExecutor("OpenStoreKitTest.session")
    private let lastTurn = Mutex<Task<Void, Never>?>(nil)

    /// Runs asynchronous work, and blocks the calling thread until the result is available.
    ///
    /// The work must not wait for tasks on other executors, because these tasks may need the thread that this method blocks.
    func wait<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let call = Call(work)
        Task(executorPreference: executor) { await call.run() }
        return try call.value()
    }

    /// Runs asynchronous work after the work of all earlier calls of this method, and blocks the calling thread until the result is
    /// available.
    ///
    /// No lock is held while the work runs. The work must not wait for tasks on other executors, as with ``wait(_:)``.
    func waitInTurn<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let call = Call(work)
        lastTurn.withLock { lastTurn in
            let earlier = lastTurn
            lastTurn = Task(executorPreference: executor) {
                await earlier?.value
                await call.run()
            }
        }
        return try call.value()
    }

    /// Asynchronous work, for whose result the calling thread waits.
    private final class Call<Value: Sendable>: Sendable {
        private let work: Mutex<(@Sendable () async throws -> Value)?>
        private let result = Mutex<Result<Value, any Error>?>(nil)
        private let done = DispatchSemaphore(value: 0)

        init(_ work: @escaping @Sendable () async throws -> Value) {
            self.work = Mutex(work)
        }

        /// Runs the work and resumes the calling thread.
        func run() async {
            let outcome = await outcome()
            result.withLock { $0 = outcome }
            done.signal()
        }

        /// Runs the work and releases what it captures, so that the work does not keep a session alive that the calling thread releases.
        private func outcome() async -> Result<Value, any Error> {
            guard let work = work.withLock({ $0.take() }) else { return .failure(CancellationError()) }
            do {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }

        func value() throws -> Value {
            done.wait()
            guard let result = result.withLock({ $0 }) else { throw CancellationError() }
            return try result.get()
        }
    }
}
