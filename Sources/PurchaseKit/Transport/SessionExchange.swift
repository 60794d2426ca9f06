import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The members of `URLSessionTask` that the kit uses; tests implement the protocol.
protocol SessionTask: Sendable {
    var taskIdentifier: Int { get }
    func resume()
    func suspend()
    func cancel()
}

extension URLSessionTask: SessionTask {}

/// One request of a URL session and its response; passes the session's events on to the reader of the body.
final class SessionExchange: Sendable {
    /// The number of unread bytes at which the task is suspended until the reader receives the bytes; nil on Linux, where resuming a task
    /// ends the process.
    static let unreadLimit: Int? = {
        #if os(Linux)
            nil
        #else
            1 << 20
        #endif
    }()

    /// The continuations that wait for the head of the response and for bytes of the body.
    private struct Waiting {
        let response: CheckedContinuation<HTTPURLResponse, any Error>?
        let reader: CheckedContinuation<Data?, any Error>?

        /// Resumes the continuations, with an error or at the end of the body.
        func resume(_ error: (any Error)?) {
            response?.resume(throwing: error ?? URLError(.badServerResponse))
            if let error { reader?.resume(throwing: error) } else { reader?.resume(returning: nil) }
        }
    }

    private struct State {
        var response: CheckedContinuation<HTTPURLResponse, any Error>?
        var reader: CheckedContinuation<Data?, any Error>?
        var unread = Data()
        var isSuspended = false
        /// The result of the exchange, which the reader receives after the unread bytes; nil while the exchange runs.
        var end: Result<Void, any Error>?
    }

    let task: any SessionTask
    private let unreadLimit: Int?
    private let state = Mutex(State())

    init(_ task: any SessionTask, unreadLimit: Int? = SessionExchange.unreadLimit) {
        self.task = task
        self.unreadLimit = unreadLimit
    }

    /// Sends the request, and returns the head of the response.
    func start() async throws -> HTTPURLResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let end = state.withLock { state in
                    if state.end == nil { state.response = continuation }
                    return state.end
                }
                // Resume at once after an end, because a canceled task can end the exchange before its start.
                if let end {
                    continuation.resume(with: end.flatMap { .failure(URLError(.badServerResponse)) })
                } else {
                    task.resume()
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Returns the unread bytes, or waits for the next bytes; nil at the end of the body.
    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Data?, any Error>? in
                    guard state.unread.isEmpty else {
                        let bytes = state.unread
                        state.unread = Data()
                        resume(&state)
                        return .success(bytes)
                    }
                    if let end = state.end { return end.map { nil } }
                    state.reader = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the exchange, and discards its unread bytes.
    func cancel() {
        let waiting = state.withLock { state in
            // Report an error after unread bytes are discarded, because the body is then incomplete, even if all bytes had arrived.
            if !state.unread.isEmpty { (state.unread, state.end) = (Data(), nil) }
            return end(CancellationError(), &state)
        }
        waiting?.resume(CancellationError())
        task.cancel()
    }

    func receive(_ response: URLResponse) {
        let continuation = state.withLock { $0.response.take() }
        if let response = response as? HTTPURLResponse {
            continuation?.resume(returning: response)
        } else {
            continuation?.resume(throwing: URLError(.badServerResponse))
        }
    }

    func receive(_ data: Data) {
        let reader = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
            guard state.end == nil else { return nil }
            if let reader = state.reader.take() { return reader }
            state.unread += data
            suspend(&state)
            return nil
        }
        reader?.resume(returning: data)
    }

    /// Suspends the exchange if its reader is slower than the network.
    ///
    /// The caller holds the lock, so that suspensions and resumptions reach the task in order.
    private func suspend(_ state: inout State) {
        guard let unreadLimit, !state.isSuspended, state.unread.count >= unreadLimit else { return }
        state.isSuspended = true
        task.suspend()
    }

    private func resume(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        task.resume()
    }

    /// Ends the exchange; later calls have no effect.
    ///
    /// - Parameter error: The error with which the exchange ended; nil after a complete response.
    func end(_ error: (any Error)?) {
        state.withLock { end(error, &$0) }?.resume(error)
    }

    /// Stores the result of the exchange, and returns the waiting continuations; nil if the exchange has ended before.
    private func end(_ error: (any Error)?, _ state: inout State) -> Waiting? {
        guard state.end == nil else { return nil }
        state.end = error.map { .failure($0) } ?? .success(())
        return Waiting(response: state.response.take(), reader: state.reader.take())
    }
}
