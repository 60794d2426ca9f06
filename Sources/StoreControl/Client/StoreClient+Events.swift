import FoundationExtras
public import PurchaseModel
public import StoreProtocol
import Wire

extension StoreClient {
    /// The maximum number of events in a response.
    private static let eventPage = 1_000

    /// Follows the events of the store: first those that the store keeps, then each new one as it occurs.
    ///
    /// The sequence does not end by itself. It continues without a loss after a broken connection, and throws
    /// ``StoreControlError/unreachable(_:)`` when the store has ended.
    ///
    /// ```swift
    /// for try await event in store.events(after: try await store.newestEvent()?.id ?? 0) where event.kind == .renewal { break }
    /// ```
    ///
    /// - Parameters:
    ///   - id: The identifier of the event after which the sequence begins; 0 for the first event.
    ///   - account: Only events of this account; nil for all events.
    /// - Returns: The sequence of events, oldest first.
    public func events(after id: Int64 = 0, of account: AccountID? = nil) -> StoreStream<StoreEvent> {
        let query = ["after": "\(id)"].merging(account.map { ["account": $0.rawValue] } ?? [:]) { $1 }
        return stream(HostEndpoints.eventStreamPath, id: { $0.id }, begin: { ([], query) })
    }

    /// Reads all events that the store keeps, with one request for every 1,000 events.
    ///
    /// - Parameters:
    ///   - id: The identifier of the event after which the list begins; 0 for the first event.
    ///   - account: Only events of this account; nil for all events.
    /// - Returns: The events, oldest first.
    public func pastEvents(after id: Int64 = 0, of account: AccountID? = nil) async throws(StoreControlError) -> [StoreEvent] {
        var (found, last): ([StoreEvent], Int64) = ([], id)
        while true {
            var query = ["after": "\(last)", "limit": "\(Self.eventPage)"]
            query["account"] = account?.rawValue
            let page = try await call(ControlEndpoints.events, query: query).events
            found += page
            guard page.count == Self.eventPage, let next = page.last?.id else { return found }
            last = next
        }
    }

    /// Reads the newest event, whose identifier is the position for ``events(after:of:)``.
    ///
    /// - Returns: The event; nil if the store has none.
    public func newestEvent() async throws(StoreControlError) -> StoreEvent? {
        try await call(ControlEndpoints.events, query: ["before": "\(Int64.max)", "limit": "1"]).events.last
    }

    /// Lists the newest requests that the store has received.
    ///
    /// - Parameter query: The filters and the maximum number of requests.
    /// - Returns: The requests, oldest first, without their bodies.
    public func requests(_ query: RequestQuery = RequestQuery()) async throws(StoreControlError) -> [RequestSummary] {
        try await call(ControlEndpoints.requests, query: query.parameters).requests
    }

    /// Reads a request that the store has received, with its body and its response; secrets are masked.
    ///
    /// - Parameter id: The identifier of the request.
    /// - Returns: The request.
    /// - Throws: `refused` with the code `request.unknown` for a request that the store does not keep.
    public func request(_ id: Int64) async throws(StoreControlError) -> RequestDetails {
        try await call(ControlEndpoints.request, ["request": "\(id)"])
    }

    /// Follows the requests that the store receives, as ``events(after:of:)`` follows events.
    ///
    /// Each iterator begins with two requests, for its position and for the earlier requests.
    ///
    /// - Parameter query: The filters; the limit concerns the requests before the iteration.
    /// - Returns: The sequence of requests, oldest first.
    public func requestStream(_ query: RequestQuery = RequestQuery()) -> StoreStream<RequestSummary> {
        stream(
            ControlEndpoints.requestStreamPath, id: { $0.id },
            begin: {
                // The position is read before the list, so that each later request is in the list or after the position. Without a
                // position, each connection before the first element would begin with the newest requests, and lose others.
                var newest = RequestQuery()
                newest.limit = 1
                let position = try await requests(newest).last?.id ?? 0
                let past = try await requests(query)
                var rest = query
                (rest.after, rest.limit) = (max(position, query.after), RequestsReply.limit)
                return (past, rest.parameters)
            })
    }

    /// Finds accounts, transactions, notifications, products and requests.
    ///
    /// - Parameters:
    ///   - text: An identifier, or a part of the name of an account or a product; at most 200 bytes of UTF-8.
    ///   - limit: The maximum number of results, from 1 to 20.
    /// - Returns: The results, those with exactly the text as an identifier first.
    /// - Throws: `refused` with the code `request.invalid-value` for a text that is too long.
    public func search(_ text: String, limit: Int = 20) async throws(StoreControlError) -> [SearchResult] {
        try await call(ControlEndpoints.search, query: ["text": text, "limit": "\(limit)"]).results
    }

    private func stream<Element: Decodable & Sendable>(
        _ path: String, id: @escaping @Sendable (Element) -> Int64,
        begin: @escaping @Sendable () async throws -> (elements: [Element], query: [String: String])
    ) -> StoreStream<Element> {
        StoreStream(
            ServerSentEvents(
                id: id, begin: begin, open: { query in try await open("GET", path + PathTemplate.query(query)) },
                invalid: { failure(.invalidResponse(status: 200)) }))
    }
}
