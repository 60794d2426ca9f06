import Foundation
import FoundationExtras
package import PurchaseModel
package import StoreProtocol
package import Wire
import WireClient

/// Calls of the device API, which work with every transport.
extension StoreTransport {
    /// Calls an endpoint of the device API.
    ///
    /// - Parameter token: The bearer token of the account; nil for none.
    @concurrent package func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        token: String?
    ) async throws(WireClientError) -> Response {
        var request = StoreRequest(endpoint.method.rawValue, endpoint.path(), token: token)
        if endpoint.method == .post {
            guard let data = try? WireJSON.encode(body) else { throw .unreachable }
            request.headers["Content-Type"] = "application/json"
            request.body = data
        }
        let response: StoreResponse
        do { response = try await send(request) } catch { throw .unreachable }
        guard (200..<300).contains(response.status) else { throw WireClientError(status: response.status, response.body) }
        do {
            return try WireJSON.decode(Response.self, from: response.body)
        } catch {
            throw .invalidResponse(status: response.status)
        }
    }

    /// Opens the event stream of an account; returns nil if this transport has no streams.
    ///
    /// - Parameter token: The bearer token of the account.
    @concurrent func events(token: String) async throws(WireClientError) -> AsyncThrowingStream<StoreEvent, any Error>? {
        guard let stream = try await begin(StoreRequest("GET", DeviceEndpoints.eventsPath, token: token)) else { return nil }
        // An event only causes a fetch of all changes, so that the newest events suffice.
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(100)) { continuation in
            let reading = Task {
                do {
                    var decoder = EventStreamDecoder()
                    for try await part in stream.body {
                        guard let data = decoder.decode(part) else { break }
                        for event in data.compactMap({ try? WireJSON.decode(StoreEvent.self, from: $0) }) { continuation.yield(event) }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in reading.cancel() }
        }
    }

    /// Requests hosted content from the offset of the request; the reply contains the stream of its bytes.
    ///
    /// - Parameter token: The bearer token of the account.
    func content(_ request: ContentRequest, token: String) async throws(WireClientError) -> ContentReply {
        var wanted = StoreRequest("GET", DeviceEndpoints.contentPath(of: request.transaction), token: token)
        wanted.headers.merge(ResumedRange.fields(after: request.offset, of: request.entityTag)) { _, new in new }
        guard let stream = try await begin(wanted) else { throw .unreachable }
        let range = ResumedRange(status: stream.status) { stream.header($0) }
        guard let offset = range.offset, range.continues(after: request.offset) else { throw .invalidResponse(status: stream.status) }
        return ContentReply(offset: offset, length: range.length, entityTag: stream.header("ETag"), bytes: stream.body)
    }

    /// Sends a request and returns the response as soon as it begins; throws the store's error for an error status.
    private func begin(_ request: StoreRequest) async throws(WireClientError) -> StoreResponseStream? {
        let stream: StoreResponseStream?
        do { stream = try await open(request) } catch { throw .unreachable }
        guard let stream, !(200..<300).contains(stream.status) else { return stream }
        throw WireClientError(status: stream.status, await stream.refusal)
    }
}

extension StoreRequest {
    fileprivate init(_ method: String, _ path: String, token: String?) {
        self.init(method: method, path: path, headers: ["Accept": "application/json"])
        if let token { headers["Authorization"] = "Bearer \(token)" }
    }
}

extension WireClientError {
    /// Creates the error of a response with an error status.
    fileprivate init(status: Int, _ body: Data) {
        if let error = try? WireJSON.decode(WireError.self, from: body) {
            self = .refused(status: status, error)
        } else {
            self = .invalidResponse(status: status)
        }
    }
}

extension StoreResponseStream {
    /// The body of a response with an error status; little more than 64 KiB are read.
    fileprivate var refusal: Data {
        get async {
            let body = body
            return
                (try? await withDeadline(.seconds(30)) {
                    var data = Data()
                    for try await part in body {
                        data += part
                        if data.count > 1 << 16 { break }
                    }
                    return data
                }) ?? Data()
        }
    }
}

extension DeviceEndpoints {
    /// Returns the path of the content that a store hosts for a transaction.
    package static func contentPath(of transaction: TransactionID) -> String {
        Endpoint<Empty, Empty>(.get, contentPath).path(["transaction": transaction.rawValue])
    }
}
