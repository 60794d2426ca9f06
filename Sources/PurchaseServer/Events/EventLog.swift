import FoundationExtras
public import PurchaseModel
import ServerProtocol
import Wire
import WireServer

/// The events of an app as lines of text, for a command.
public struct EventLog: Sendable {
    /// An event.
    public struct Line: Hashable, Sendable {
        /// The cursor, the date, the type, the customer and the cause of the event.
        public let text: String
        /// The event with its cursor as JSON.
        public let json: String
    }

    /// The reason why a cursor is refused.
    public struct Refusal: Error, CustomStringConvertible {
        /// The reason, with the next step.
        public let description: String
    }

    let feed: FeedService

    /// Returns the events after a cursor, and the next cursor.
    ///
    /// - Parameters:
    ///   - cursor: The cursor; `0` for the oldest event, `latest` for the cursor after the newest event.
    ///   - isWaiting: Whether the method waits up to a minute for the first event.
    /// - Throws: ``Refusal`` for an invalid cursor, or `StorageError`.
    public func lines(after cursor: String, waiting isWaiting: Bool) async throws -> (lines: [Line], next: String) {
        do {
            let start = try cursor == "latest" ? nil : FeedCursor(cursor).orRefusal()
            if isWaiting {
                let last = try await feed.checked(start)
                _ = try await feed.page(after: last, limit: 1, waiting: FeedService.waitLimit)
                return Self.lines(try await feed.entries(after: last, limit: FeedService.pageLimit))
            }
            return Self.lines(try await feed.entries(after: start, limit: FeedService.pageLimit))
        } catch let refusal as FeedRefusal {
            throw Refusal(description: refusal.wireError.message)
        }
    }

    private static func lines(_ page: (entries: [FeedEntry], next: FeedCursor)) -> (lines: [Line], next: String) {
        let lines = page.entries.map { entry in
            // An event of another version has at least a type.
            let event = try? entry.event()
            let fields = [
                entry.cursor.description, event.map { "\($0.happenedAt)" } ?? "-", entry.type, event?.customer?.rawValue ?? "-",
                event?.cause.rawValue ?? "-",
            ]
            let json = JSONValue.object([
                JSONValue.Member("cursor", .string(entry.cursor.description)), JSONValue.Member("event", entry.json),
            ])
            return Line(text: fields.joined(separator: "  "), json: String(decoding: json.bytes, as: UTF8.self))
        }
        return (lines, page.next.description)
    }
}

extension FeedCursor? {
    fileprivate func orRefusal() throws(FeedRefusal) -> FeedCursor {
        guard let self else { throw .cursor }
        return self
    }
}

extension PurchaseServer {
    /// Returns the events of an app; nil for an app that is not configured.
    public func eventLog(of app: BundleID) -> EventLog? { apps[app].map { EventLog(feed: $0.feed) } }
}
