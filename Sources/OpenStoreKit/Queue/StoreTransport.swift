public import Foundation

/// How a device reaches its store; replaced in tests to lose, repeat and delay what is sent.
///
/// A transport carries HTTP and knows nothing of what is said: `docs/openapi/device.yaml` describes the requests. An answer is returned
/// whatever its status is.
public protocol StoreTransport: Sendable {
    /// Sends a request and returns the whole answer.
    ///
    /// - Throws: ``StoreTransportError/unreachable`` when no answer came; the store may have carried out the request all the same.
    func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse

    /// Sends a request and returns the answer as soon as it begins: the store's event stream, which ends with the connection, and
    /// hosted content, which can be taken up where it broke by a `Range`.
    ///
    /// - Returns: nil when this transport can't do that.
    /// - Throws: ``StoreTransportError/unreachable`` when no answer came.
    func open(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponseStream?
}

extension StoreTransport {
    /// Can't: the device then learns of news when it launches and when it is woken, and downloads wait.
    public func open(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponseStream? { nil }
}

/// Why a request to the store brought no answer.
public enum StoreTransportError: Error, Hashable, Sendable {
    /// Nobody answered: the network is away, or the store took too long.
    case unreachable
}

/// A request to the store, as HTTP has it.
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

    /// The value of a header field, whatever the case of its name.
    public func header(_ name: String) -> String? { headers.value(ofField: name) }
}

/// The store's whole answer to a request.
public struct StoreResponse: Hashable, Sendable {
    /// The status, such as 200.
    public var status: Int
    /// The body.
    public var body: Data

    /// Creates an answer.
    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }
}

/// The beginning of the store's answer to a request, whose body follows.
public struct StoreResponseStream: Sendable {
    /// The status, such as 206.
    public var status: Int
    /// The header fields by their names.
    public var headers: [String: String]
    /// The body as it comes.
    public var body: any AsyncSequence<Data, any Error> & Sendable

    /// Creates an answer.
    public init(status: Int, headers: [String: String], body: any AsyncSequence<Data, any Error> & Sendable) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of a header field, whatever the case of its name.
    public func header(_ name: String) -> String? { headers.value(ofField: name) }
}

extension [String: String] {
    fileprivate func value(ofField name: String) -> String? {
        self[name] ?? first { $0.key.lowercased() == name.lowercased() }?.value
    }
}
