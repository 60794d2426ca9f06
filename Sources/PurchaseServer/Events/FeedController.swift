import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import ServiceLifecycle
import Wire
import WireServer

/// The endpoint that returns the events of an app, as a page or as server-sent events.
///
/// Server-sent events are defined in <https://html.spec.whatwg.org/multipage/server-sent-events.html>.
struct FeedController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.get(RouterPath(ServerEndpoints.events.template)) { request, context in
            let feed = try context.caller(.readEvents).app.feed
            let query = try FeedQuery(request)
            guard request.acceptsEventStream else {
                let open = query.seconds > 0 ? try feed.streams.open() : nil
                defer { withExtendedLifetime(open) {} }
                return Response(
                    .ok,
                    try await cancelWhenGracefulShutdown {
                        try await feed.page(after: query.cursor, limit: query.limit, waiting: query.seconds)
                    })
            }
            // Check the cursor before the response begins, because the stream can't state an error.
            let stream = FeedStream(feed: feed, cursor: try await feed.checked(query.cursor), open: try feed.streams.open())
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody(asyncSequence: stream.cancelOnGracefulShutdown()))
        }
    }
}

/// The query parameters of a request for events.
private struct FeedQuery {
    /// The cursor of `after`, or of `Last-Event-ID` in a request that continues a stream; nil for `latest`.
    let cursor: FeedCursor?
    /// The maximum number of events.
    let limit: Int
    /// The longest wait for an event in seconds.
    let seconds: Int

    init(_ request: Request) throws {
        let after = try request.query("after")
        let text = request.acceptsEventStream ? request.lastEventID ?? after : after
        guard text != "latest" else {
            cursor = nil
            (limit, seconds) = try (Self.limit(request), Self.seconds(request))
            return
        }
        guard let cursor = FeedCursor(text ?? "0") else { throw FeedRefusal.cursor }
        self.cursor = cursor
        (limit, seconds) = try (Self.limit(request), Self.seconds(request))
    }

    private static func limit(_ request: Request) throws -> Int {
        guard let text = try request.query("limit") else { return 100 }
        guard let limit = Int(text), (1...FeedService.pageLimit).contains(limit) else { throw FeedRefusal.limit }
        return limit
    }

    private static func seconds(_ request: Request) throws -> Int {
        guard let text = try request.query("wait") else { return 0 }
        guard let seconds = Int(text), (0...FeedService.waitLimit).contains(seconds) else { throw FeedRefusal.wait }
        return seconds
    }
}

extension Request {
    /// Whether the request accepts server-sent events; false for a request with a nonce, because a stream can't be signed.
    fileprivate var acceptsEventStream: Bool {
        headers[.nonce] == nil && headers[.accept]?.contains("text/event-stream") ?? false
    }

    /// The cursor of the last event that a reconnecting reader received (`Last-Event-ID`, HTML, section 9.2); nil if there is none.
    fileprivate var lastEventID: String? { headers.first { $0.name.canonicalName == "last-event-id" }?.value }
}

/// The feed as server-sent events, until the reader disconnects, the server stops, or the stream is five minutes old.
///
/// A reader then connects again with its last cursor. The server checks the key of each connection, so that a revoked key ends its streams.
struct FeedStream: AsyncSequence, Sendable {
    /// The number of pauses without events after which the stream sends a comment, so that proxies keep the connection.
    private static let commentPauses = 15
    /// The age in seconds at which a stream ends.
    static let lifetime: Int64 = 300

    let feed: FeedService
    let cursor: FeedCursor
    let open: FeedStreams.Stream

    func makeAsyncIterator() -> Iterator { Iterator(feed: feed, cursor: cursor, open: open) }

    struct Iterator: AsyncIteratorProtocol {
        let feed: FeedService
        var cursor: FeedCursor
        private let open: FeedStreams.Stream
        private let end: Timestamp
        private var hasBegun = false

        init(feed: FeedService, cursor: FeedCursor, open: FeedStreams.Stream) {
            self.feed = feed
            self.cursor = cursor
            self.open = open
            end = feed.clock.now.adding(seconds: FeedStream.lifetime)
        }

        mutating func next() async throws -> ByteBuffer? {
            // Send the cursor at once, so that the response begins, and so that a reader of a quiet stream continues at its cursor.
            guard hasBegun else {
                hasBegun = true
                return ByteBuffer(string: ": the feed of \(feed.app.rawValue)\nid: \(cursor)\n\n")
            }
            for _ in 0..<FeedStream.commentPauses {
                let count = feed.signal.count
                guard feed.clock.now < end else { return nil }
                let (entries, next) = try await feed.entries(after: cursor, limit: FeedService.pageLimit)
                cursor = next
                guard entries.isEmpty else { return Self.text(of: entries) }
                guard !Task.isCancelled else { return nil }
                _ = await feed.wait(after: count, for: FeedService.pollPause)
            }
            return ByteBuffer(string: ":\n\n")
        }

        private static func text(of entries: [FeedEntry]) -> ByteBuffer {
            var buffer = ByteBuffer()
            for entry in entries {
                buffer.writeString("id: \(entry.cursor)\nevent: \(entry.type)\ndata: ")
                buffer.writeBytes(entry.json.bytes)
                buffer.writeString("\n\n")
            }
            return buffer
        }
    }
}
