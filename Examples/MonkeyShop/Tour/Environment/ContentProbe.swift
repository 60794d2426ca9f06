import AsyncHTTPClient
import Foundation
import FoundationExtras
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import PurchaseModel
import ServerProtocol
import Wire
import WireClient

/// Requests content from the server with a download token, to inspect the response.
enum ContentProbe {
    /// Returns the HTTP status, and the error code of a refusal, or otherwise a text such as `512 bytes`.
    static func fetch(_ serverURL: HTTPURL, product: ProductID, token: String) async throws -> (status: UInt, code: String) {
        let path = ServerEndpoints.content.path(["product": product.rawValue])
        var request = HTTPClientRequest(url: "\(serverURL)\(path)")
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        let response = try await HTTPClient.wire.execute(request, timeout: .seconds(30))
        let body = Data(buffer: try await response.body.collect(upTo: 1 << 20))
        let error = try? WireJSON.decode(WireError.self, from: body)
        return (response.status.code, error?.code ?? "\(body.count) bytes")
    }
}
