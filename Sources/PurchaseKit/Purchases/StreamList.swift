import Synchronization

/// The readers of a sequence, each with a separate stream.
final class StreamList<Element: Sendable>: Sendable {
    private struct State {
        var next = 0
        var readers: [Int: AsyncStream<Element>.Continuation] = [:]
        var isFinished = false
    }

    private let policy: AsyncStream<Element>.Continuation.BufferingPolicy
    private let state = Mutex(State())

    init(buffering policy: AsyncStream<Element>.Continuation.BufferingPolicy) {
        self.policy = policy
    }

    deinit {
        finish()
    }

    /// Returns a new stream, which begins with the given element, if any.
    func stream(from first: Element? = nil) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
        let id = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.next += 1
            state.readers[state.next] = continuation
            return state.next
        }
        if let first { continuation.yield(first) }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.readers.removeValue(forKey: id) } }
        return stream
    }

    func send(_ element: Element) {
        for reader in state.withLock({ Array($0.readers.values) }) { reader.yield(element) }
    }

    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}

/// Returns the result of an operation, or nil after a time limit; the operation is then canceled, and its result is dropped.
///
/// Unlike a task group, the function does not wait for an operation that ignores its cancellation.
func firstOutcome<Value: Sendable>(
    within limit: Duration, on clock: any Clock<Duration>, _ operation: @escaping @Sendable () async -> Value
) async -> Value? {
    let (results, continuation) = AsyncStream.makeStream(of: Value?.self)
    let work = Task { continuation.yield(await operation()) }
    let timer = Task {
        guard (try? await clock.sleep(for: limit)) != nil else { return }
        continuation.yield(nil)
    }
    defer {
        work.cancel()
        timer.cancel()
    }
    return await results.first { _ in true } ?? nil
}
