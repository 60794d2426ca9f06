import HTTPTypes
import Wire
import WireServer

/// The reason why the server refuses a request for events.
enum FeedRefusal: Error, Hashable {
    /// The cursor is no cursor of a feed.
    case cursor
    /// The limit is not from 1 to ``FeedService/pageLimit``.
    case limit
    /// The seconds of the long poll are not from 0 to ``FeedService/waitLimit``.
    case wait
    /// ``FeedStreams/limit`` readers wait.
    case streams
    /// Retention has removed events after the cursor.
    case expired
    /// The event of the cursor is not in the feed, because the database was restored to an earlier moment.
    case diverged
}

extension FeedRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .cursor, .limit, .wait: .badRequest
        case .streams: .tooManyRequests
        case .expired, .diverged: .gone
        }
    }

    var wireError: WireError {
        switch self {
        case .cursor:
            WireError(
                code: "events.cursor",
                message: "The cursor of after is malformed. Send the nextCursor of an earlier answer, or 0 for the oldest event.")
        case .limit:
            WireError(code: "events.limit", message: "The limit is invalid. Send a limit from 1 to \(FeedService.pageLimit).")
        case .wait:
            WireError(code: "events.wait", message: "The number of seconds is invalid. Send wait from 0 to \(FeedService.waitLimit).")
        case .streams:
            WireError(
                code: "events.streams",
                message: "\(FeedStreams.limit) readers of the app wait for events. Share one stream between readers, or read without wait.")
        case .expired:
            WireError(
                code: "events.expired",
                message: "The server has removed events after this cursor. Read each customer's entitlements, and then the events after=0.")
        case .diverged:
            WireError(
                code: "events.diverged",
                message: "The database was restored to a moment before this cursor. Read the events after=0, and skip the identifiers that "
                    + "are known.")
        }
    }
}
