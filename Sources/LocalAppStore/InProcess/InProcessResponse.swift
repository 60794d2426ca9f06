package import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat
import Synchronization

/// The response to an in-process request.
package struct InProcessResponse: Sendable {
    /// The HTTP status code.
    package let status: Int
    /// The values of the header fields by name; if a name occurs several times, the first value.
    package let headers: [String: String]
    private let body: ResponseBody

    init(_ response: Response) {
        status = response.status.code
        headers = Dictionary(response.headers.map { ($0.name.rawName, $0.value) }) { first, _ in first }
        body = response.body
    }

    /// Returns the complete body of the response.
    package func data() async throws -> Data {
        let collector = Collector()
        try await body.write(collector)
        return collector.data
    }

    /// Returns the body of the response as a stream of chunks; the body ends when the consumer of the stream stops.
    package func chunks() -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await body.write(Forwarder(continuation: continuation))
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// A body writer that collects all chunks in memory; only one task may write to it.
    private final class Collector: ResponseBodyWriter {
        private(set) var data = Data()

        func write(_ buffer: ByteBuffer) {
            data.append(Data(buffer: buffer))
        }

        func finish(_ trailingHeaders: HTTPFields?) {}
    }

    private struct Forwarder: ResponseBodyWriter {
        let continuation: AsyncThrowingStream<Data, any Error>.Continuation

        func write(_ buffer: ByteBuffer) throws {
            if case .terminated = continuation.yield(Data(buffer: buffer)) { throw CancellationError() }
        }

        func finish(_ trailingHeaders: HTTPFields?) {}
    }
}

/// A substitute for the network connection of an in-process request.
final class InProcessConnection: Sendable {
    private let closed = Mutex(false)

    /// Whether the connection was closed.
    var isClosed: Bool { closed.withLock { $0 } }

    /// Closes the connection, so that the client gets no response.
    func close() {
        closed.withLock { $0 = true }
    }
}

/// The source from which Hummingbird creates the context of an in-process request.
struct InProcessSource: RequestContextSource {
    let logger: Logger
}
