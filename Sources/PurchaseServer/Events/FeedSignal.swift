import Synchronization

/// Wakes the tasks that wait for events of the feed, after the commit of events.
final class FeedSignal: Sendable {
    /// Wakes the service that gives positions to events.
    let publisher = Wakeup()
    private let state = Mutex(State())

    private struct State {
        /// Whether this server has committed events about which no reader was notified.
        var hasCommits = false
        /// The number of notifications so far, by which a reader detects a notification during its last read.
        var count: UInt64 = 0
        var next: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    /// Whether a reader waits.
    var hasWaitingReaders: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// The number of notifications so far.
    var count: UInt64 { state.withLock { $0.count } }

    /// Wakes the service that gives positions to committed events, and that then wakes the readers.
    func notify() {
        state.withLock { $0.hasCommits = true }
        publisher.wake()
    }

    /// Wakes all waiting readers if this server has committed events since the last call.
    func notifyReadersOfCommits() {
        let hasCommits = state.withLock { state in
            defer { state.hasCommits = false }
            return state.hasCommits
        }
        if hasCommits { notifyReaders() }
    }

    /// Wakes all waiting readers.
    func notifyReaders() {
        let waiting = state.withLock { state in
            state.count &+= 1
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Waits for a notification after `count` notifications, for the duration, or until the task is canceled.
    ///
    /// - Parameters:
    ///   - count: The number of notifications before the reader's last read.
    ///   - duration: The longest pause.
    ///   - timer: The clock of the pause.
    func wait(after count: UInt64, for duration: Duration, on timer: any Clock<Duration>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do { try await timer.sleep(for: duration) } catch {}
            }
            group.addTask { await self.wait(after: count) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(after count: UInt64) async {
        let id = state.withLock { state in
            state.next &+= 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    guard state.count == count, !Task.isCancelled else { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }
}

/// Counts the readers that wait for events of a feed: the open streams and the long polls.
final class FeedStreams: Sendable {
    /// The maximum number of waiting readers of a feed, each of which reads the database once a second.
    static let limit = 100

    private let count = Mutex(0)

    /// A waiting reader, until the deallocation of the object.
    final class Stream: Sendable {
        private let streams: FeedStreams

        fileprivate init(_ streams: FeedStreams) {
            self.streams = streams
        }

        deinit {
            streams.count.withLock { $0 -= 1 }
        }
    }

    /// Adds a reader.
    ///
    /// - Throws: ``FeedRefusal/streams`` if too many readers wait.
    func open() throws(FeedRefusal) -> Stream {
        let isOpen = count.withLock { count in
            guard count < Self.limit else { return false }
            count += 1
            return true
        }
        guard isOpen else { throw .streams }
        return Stream(self)
    }
}
