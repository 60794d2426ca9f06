import NIOPosix

/// Work that blocks its thread, such as reading from a disk.
enum BlockingWork {
    /// Runs the work on NIO's thread pool, so that it does not block a thread of the concurrency runtime.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(ContentStorageError) -> Value
    ) async throws(ContentStorageError) -> Value {
        let result: Result<Value, ContentStorageError>
        do {
            result = try await NIOThreadPool.singleton.runIfActive { Result { () throws(ContentStorageError) in try work() } }
        } catch {
            // The pool of the process never ends, so only a canceled task has no result.
            throw .canceled
        }
        return try result.get()
    }
}
