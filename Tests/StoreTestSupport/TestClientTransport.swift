import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import OpenStoreKit

/// A transport to a store through the test client of its application.
struct TestClientTransport: StoreTransport {
    let client: any TestClientProtocol
    /// The path of the store.
    var path = ""

    func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse {
        guard let method = HTTPRequest.Method(request.method) else { throw .unreachable }
        var headers = HTTPFields()
        for (name, value) in request.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        let body = request.body.map { ByteBuffer(data: $0) }
        do {
            let response = try await client.executeRequest(uri: path + request.path, method: method, headers: headers, body: body)
            return StoreResponse(status: response.status.code, body: Data(buffer: response.body))
        } catch {
            throw .unreachable
        }
    }
}
