public import Foundation

/// The connection of a device to its store; tests use other implementations to lose, repeat and delay requests.
///
/// A transport carries HTTP and does not interpret the requests, which `docs/openapi/device.yaml` describes. It returns a response with any
/// status, including error statuses.
public protocol StoreTransport: Sendable {
    /// Sends a request and returns the whole response.
    ///
    /// - Throws: ``StoreTransportError/unreachable`` if no response arrives; the store may nevertheless have carried out the request.
    func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse

    /// Sends a request and returns the response as soon as it begins.
    ///
    /// The store's event stream ends with the connection. Hosted content can be continued with a `Range` where the connection broke.
    ///
    /// - Returns: nil when this transport does not support streams.
    /// - Throws: ``StoreTransportError/unreachable`` when no response arrived.
    func open(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponseStream?
}

extension StoreTransport {
    /// Returns nil, because the transport does not support streams.
    ///
    /// The device then fetches changes when it launches and when ``Device/wake()`` is called, and downloads wait.
    public func open(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponseStream? { nil }
}

/// The error of a request to the store that receives no response.
public enum StoreTransportError: Error, Hashable, Sendable {
    /// No response arrived: the network is unavailable, or the store took too long.
    case unreachable
}

/// An HTTP request to the store.
public struct StoreRequest: Hashable, Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// The path below the store's base address, percent-encoded, such as `/device/v1/products`.
    public var path: String
    /// The header fields by their names, among them `Authorization` with the account's token.
    public var headers: [String: String]
    /// The body; nil for none.
    public var body: Data?

    /// Creates a request.
    public init(method: String, path: String, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// Returns the value of a header field, or nil if there is none; the name is case-insensitive.
    public func header(_ name: String) -> String? { headers.value(ofField: name) }
}

/// The store's whole response to a request.
public struct StoreResponse: Hashable, Sendable {
    /// The status, such as 200.
    public var status: Int
    /// The body.
    public var body: Data

    /// Creates a response.
    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }
}

/// The beginning of the store's response to a request, whose body follows.
public struct StoreResponseStream: Sendable {
    /// The status, such as 206.
    public var status: Int
    /// The header fields by their names.
    public var headers: [String: String]
    /// The body, in parts as they are received.
    public var body: any AsyncSequence<Data, any Error> & Sendable

    /// Creates a response.
    public init(status: Int, headers: [String: String], body: any AsyncSequence<Data, any Error> & Sendable) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Returns the value of a header field, or nil if there is none; the name is case-insensitive.
    public func header(_ name: String) -> String? { headers.value(ofField: name) }
}

extension [String: String] {
    fileprivate func value(ofField name: String) -> String? {
        self[name] ?? first { $0.key.lowercased() == name.lowercased() }?.value
    }
}
