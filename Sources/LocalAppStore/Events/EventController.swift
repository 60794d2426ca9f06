import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PurchaseModel
import ServiceLifecycle
import StoreProtocol
import WireServer

/// Adds the routes that return a store's events as a list, or as server-sent events.
///
/// Server-sent events are defined in <https://html.spec.whatwg.org/multipage/server-sent-events.html>.
struct EventController: Sendable {
    /// The maximum number of events in one response with a list.
    private static let pageLimit = EventStream.pageLimit

    func addRoutes(to router: Router<StoreRequestContext>) {
        router.get("/control/v1/events") { request, context in
            let query = try EventQuery(request)
            let limit = min(max(query.limit ?? Self.pageLimit, 1), Self.pageLimit)
            let services = try context.services
            let events =
                if let before = query.before {
                    try await services.events.events(before: before, account: query.account, limit: limit)
                } else {
                    try await services.events.events(after: query.after, account: query.account, limit: limit)
                }
            return Response(.ok, EventsReply(events: events))
        }
        router.get("/control/v1/events/stream") { request, context in
            let query = try EventQuery(request)
            let services = try context.services
            // A client that reconnects sends the identifier of the last event that it received in `Last-Event-ID`.
            let resumedID = request.headers.lastEventID
            return Response(eventStream: EventStream(events: services.events, after: resumedID ?? query.after, account: query.account))
        }
        // The stream contains the events of the account in the app, so that a connected device need not poll.
        router.get(RouterPath(DeviceEndpoints.eventsPath)) { request, context in
            let services = try context.services
            let session = try await services.sessions.session(of: request)
            let lastEventID = try request.headers.lastEventID ?? EventQuery(request).after
            var stream = EventStream(events: services.events, after: lastEventID, account: session.account, bundleID: session.bundleID)
            // A device that is signed out, as by the removal of its account, reads nothing more, also of a new account with the same name.
            stream.isAllowed = { try await services.sessions.exists(session) }
            return Response(eventStream: stream)
        }
    }
}

extension Response {
    /// Creates a response with an event stream, which continues until the client disconnects or the store stops.
    init(eventStream: EventStream) {
        self.init(
            status: .ok, headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(asyncSequence: eventStream.cancelOnGracefulShutdown())
        )
    }
}

extension HTTPFields {
    /// The identifier of the last event that a reconnecting client received (`Last-Event-ID`, HTML, section 9.2); nil if there is none.
    var lastEventID: Int64? {
        first { $0.name.canonicalName == "last-event-id" }.flatMap { Int64($0.value) }
    }
}

/// The query parameters of a request for events: `?after=17&account=ada@example.com&limit=100`, or `?before=17` for earlier events.
struct EventQuery: Sendable {
    /// The identifier of the newest event that the client has, after which the response begins; 0 to begin with the first event.
    var after: Int64
    /// The identifier of the oldest event that the client has, before which the response ends; nil for the events after ``after``.
    var before: Int64?
    var account: AccountID?
    var limit: Int?

    init(_ request: Request) throws {
        after = try Self.number("after", in: request) ?? 0
        before = try Self.number("before", in: request)
        account = try request.query("account").map { AccountID($0) }
        if let text = try request.query("limit") {
            guard let number = Int(text), number > 0 else { throw StoreError.invalidValue(field: "limit") }
            limit = number
        }
    }

    private static func number(_ field: String, in request: Request) throws -> Int64? {
        guard let text = try request.query(field) else { return nil }
        guard let number = Int64(text), number >= 0 else { throw StoreError.invalidValue(field: field) }
        return number
    }
}
