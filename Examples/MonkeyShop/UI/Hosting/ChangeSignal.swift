import Synchronization

/// Notifies any number of readers of changes; a slow reader receives one element for several changes.
final class ChangeSignal: Sendable {
    private struct State {
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastID = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    func send() {
        for reader in state.withLock({ Array($0.readers.values) }) { reader.yield() }
    }

    /// Returns a sequence whose first element is available immediately.
    func stream() -> AsyncStream<Void> {
        let (stream, reader) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (id, isFinished) = state.withLock { state in
            state.lastID += 1
            state.readers[state.lastID] = reader
            return (state.lastID, state.isFinished)
        }
        reader.onTermination = { [weak self] _ in self?.remove(id) }
        reader.yield()
        if isFinished { reader.finish() }
        return stream
    }

    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }

    private func remove(_ id: Int) {
        state.withLock { $0.readers[id] = nil }
    }
}
