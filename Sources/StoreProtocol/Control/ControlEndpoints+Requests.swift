public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Lists the newest requests that a local store has received; see ``RequestQuery`` for the filters.
    package static let requests = Endpoint<Empty, RequestsReply>(.get, "/control/v1/requests")
    /// Reads one request with its body and its response.
    package static let request = Endpoint<Empty, RequestDetails>(.get, "/control/v1/requests/{request}")
    /// The path of the stream of requests, as server-sent events.
    package static let requestStreamPath = "/control/v1/requests/stream"
}

/// An interface of a local store, by which requests are distinguished.
public enum RequestSurface: String, Codable, Hashable, Sendable, CaseIterable {
    /// `verifyReceipt`.
    case verifyReceipt
    /// The App Store Server API.
    case serverAPI
    /// The Online Certificate Status Protocol.
    case ocsp
    /// The device API.
    case device
    /// The control API.
    case control
}

/// The filters of a list of requests, as the query of its URL.
public struct RequestQuery: Hashable, Sendable {
    /// Only requests after the one with this identifier.
    public var after: Int64 = 0
    /// The maximum number of requests; the newest ones are returned.
    public var limit = RequestsReply.limit
    /// Only requests to these interfaces; all if empty.
    public var surfaces: Set<RequestSurface> = []
    /// Whether requests to the control API are left out.
    public var withoutControl = false
    /// Whether only refused and failed requests are returned.
    public var onlyFailed = false
    /// Only requests whose path, account, reason, body or response contains this text, or whose identifier equals it; nil for all.
    public var text: String?

    /// Creates a query for all requests.
    public init() {}

    /// The query of the URL.
    package var parameters: [String: String] {
        var all = ["after": "\(after)", "limit": "\(limit)"]
        if !surfaces.isEmpty { all["surface"] = surfaces.map(\.rawValue).sorted().joined(separator: ",") }
        if withoutControl { all["control"] = "false" }
        if onlyFailed { all["failed"] = "true" }
        all["text"] = text
        return all
    }
}

/// Requests that a local store has received.
package struct RequestsReply: Codable, Hashable, Sendable {
    /// The maximum number of requests in a reply.
    package static let limit = 500

    /// The requests, oldest first.
    package var requests: [RequestSummary]

    /// Creates a reply.
    package init(requests: [RequestSummary]) {
        self.requests = requests
    }
}

/// A request that a local store has received, without its body.
public struct RequestSummary: Codable, Hashable, Sendable {
    /// The identifier, which increases with each request.
    public var id: Int64
    /// The date on the machine's clock.
    public var date: Timestamp
    /// The interface; nil for a path that belongs to none.
    public var surface: RequestSurface?
    /// The HTTP method.
    public var method: String
    /// The path and the query, without the prefix of the store.
    public var path: String
    /// The environment that the request's path or host name selects.
    public var environment: AppEnvironment
    /// The HTTP status of the response.
    public var status: Int
    /// The time from the request's head to the response, in microseconds.
    public var microseconds: Int64
    /// The code of the response: the status of `verifyReceipt`, the error code of the Server API, or that of the store; nil for none.
    public var code: String?
    /// Why the request was refused; nil if it was not.
    public var reason: String?
    /// The account of the device that sent the request, or the one that the path names; nil if unknown.
    public var account: AccountID?
    /// The program that sent the request (`User-Agent`, RFC 9110, section 10.1.5); nil if it did not say.
    public var client: String?
    /// The identifier in the header `Tillroll-Request-ID` of the response; nil for a request of an earlier store.
    public var requestID: String?

    /// Whether the request was refused or failed.
    public var isFailure: Bool { status >= 400 || reason != nil }

    /// Creates a request.
    package init(
        id: Int64, date: Timestamp, surface: RequestSurface?, method: String, path: String, environment: AppEnvironment, status: Int,
        microseconds: Int64, code: String? = nil, reason: String? = nil, account: AccountID? = nil, client: String? = nil,
        requestID: String? = nil
    ) {
        self.id = id
        self.date = date
        self.surface = surface
        self.method = method
        self.path = path
        self.environment = environment
        self.status = status
        self.microseconds = microseconds
        self.code = code
        self.reason = reason
        self.account = account
        self.client = client
        self.requestID = requestID
    }
}

/// A request that a local store has received, with its body and its response.
public struct RequestDetails: Codable, Hashable, Sendable {
    /// The request without its body.
    public var summary: RequestSummary
    /// The body of the request as text, with secrets masked; nil without a body, and for one that can't be shown.
    ///
    /// A body is not recorded if it is larger than 64 KiB or the client has not stated its length, and not shown if it is no text, or no
    /// JSON and contains the name of a secret.
    public var requestBody: String?
    /// The size of the request's body in bytes; nil if the client did not state it.
    public var requestLength: Int?
    /// The body of the response as text, with secrets masked; nil without a body, and for one that can't be shown.
    public var responseBody: String?
    /// The size of the response's body in bytes; nil for a stream.
    public var responseLength: Int?

    /// Creates a request.
    package init(
        summary: RequestSummary, requestBody: String?, requestLength: Int?, responseBody: String?, responseLength: Int?
    ) {
        self.summary = summary
        self.requestBody = requestBody
        self.requestLength = requestLength
        self.responseBody = responseBody
        self.responseLength = responseLength
    }
}
