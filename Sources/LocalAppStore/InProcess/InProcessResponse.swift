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
    ///
    /// The body is written one chunk ahead of the consumer, as over a connection.
    package func chunks() -> AsyncThrowingStream<Data, any Error> {
        let (demand, reader) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (chunks, writer) = AsyncThrowingStream.makeStream(of: Data.self)
        let task = Task {
            do {
                try await body.write(Forwarder(chunks: writer, demand: demand))
                writer.finish()
            } catch {
                writer.finish(throwing: error)
            }
        }
        writer.onTermination = { _ in task.cancel() }
        return AsyncThrowingStream {
            reader.yield()
            for try await chunk in chunks { return chunk }
            return nil
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

    /// A body writer that waits after each chunk until the consumer requests one.
    private struct Forwarder: ResponseBodyWriter {
        let chunks: AsyncThrowingStream<Data, any Error>.Continuation
        let demand: AsyncStream<Void>

        func write(_ buffer: ByteBuffer) async throws {
            chunks.yield(Data(buffer: buffer))
            for await _ in demand { return }
            throw CancellationError()
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
