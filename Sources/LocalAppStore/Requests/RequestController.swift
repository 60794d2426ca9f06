import FoundationExtras
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import StoreProtocol
import Wire
import WireServer

/// Adds the routes of the control API that list, show and follow the requests that the store has received.
struct RequestController: Sendable {
    func addRoutes(to router: Router<StoreRequestContext>) {
        router.get(RouterPath(ControlEndpoints.requests.template)) { request, context in
            Response(.ok, RequestsReply(requests: try context.store.requestLog.requests(try RequestQuery(request))))
        }
        router.get(RouterPath(ControlEndpoints.requestStreamPath)) { request, context in
            let query = try RequestQuery(request)
            let log = try context.store.requestLog
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody(asyncSequence: RequestStream(log: log, query: query).cancelOnGracefulShutdown()))
        }
        router.mount(ControlEndpoints.request) { _, _, context in
            guard let id = Int64(try context.parameter("request")), let request = try context.store.requestLog.request(id) else {
                throw RequestLogError.unknown
            }
            return request
        }
    }
}

/// An error of the log of requests.
enum RequestLogError: StoreRefusal {
    /// The log has no request with the identifier.
    case unknown

    var status: HTTPResponse.Status { .notFound }

    var wireError: WireError {
        WireError(
            code: "request.unknown",
            message: "The log has no such request. It keeps the newest \(RequestLog.limit) until the store ends: tillroll store requests")
    }
}

extension RequestQuery {
    /// Reads the query of a request.
    ///
    /// - Throws: ``StoreError/invalidValue(field:)`` for a value that is not allowed.
    init(_ request: Request) throws {
        self.init()
        // A client that reconnects sends the identifier of the last request that it received in `Last-Event-ID`.
        if let text = try request.query("after") {
            guard let number = Int64(text), number >= 0 else { throw StoreError.invalidValue(field: "after") }
            after = number
        }
        after = request.headers.lastEventID ?? after
        if let text = try request.query("limit") {
            guard let number = Int(text), (0...RequestsReply.limit).contains(number) else { throw StoreError.invalidValue(field: "limit") }
            limit = number
        }
        for name in try request.query("surface")?.split(separator: ",") ?? [] {
            guard let surface = RequestSurface(rawValue: String(name)) else { throw StoreError.invalidValue(field: "surface") }
            surfaces.insert(surface)
        }
        withoutControl = try request.query("control") == "false"
        onlyFailed = try request.query("failed") == "true"
        text = try request.query("text")
        guard text.map({ $0.utf8.count <= 200 }) ?? true else { throw StoreError.invalidValue(field: "text") }
    }
}

/// The requests that match a query, as server-sent events; the sequence ends only when its reader stops.
private struct RequestStream: AsyncSequence, Sendable {
    let log: RequestLog
    let query: RequestQuery

    func makeAsyncIterator() -> Iterator {
        Iterator(log: log, query: query, changes: log.changes().makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        let log: RequestLog
        var query: RequestQuery
        var changes: AsyncStream<Void>.Iterator
        private var hasSentComment = false
        private var lastSent = ContinuousClock.now
        /// The time after which a stream without matching requests sends a comment at the next request: a server notices that a client has
        /// ended only when it writes.
        private static let heartbeat = Duration.seconds(15)

        init(log: RequestLog, query: RequestQuery, changes: AsyncStream<Void>.Iterator) {
            (self.log, self.query, self.changes) = (log, query, changes)
            // A reader that continues receives all requests since then; the limit concerns the past.
            if query.after > 0 { self.query.limit = .max }
        }

        mutating func next() async throws -> ByteBuffer? {
            guard hasSentComment else {
                hasSentComment = true
                return ByteBuffer(string: ": requests of the store\n\n")
            }
            while await changes.next(isolation: #isolation) != nil {
                let (requests, last) = log.read(query)
                (query.after, query.limit) = (last, .max)
                guard !requests.isEmpty else {
                    guard lastSent.duration(to: .now) < Self.heartbeat else {
                        lastSent = .now
                        return ByteBuffer(string: ": no requests\n\n")
                    }
                    continue
                }
                lastSent = .now
                var text = ByteBuffer()
                for request in requests {
                    text.writeString("id: \(request.id)\ndata: ")
                    text.writeBytes(try WireJSON.encode(request))
                    text.writeString("\n\n")
                }
                return text
            }
            return nil
        }
    }
}
