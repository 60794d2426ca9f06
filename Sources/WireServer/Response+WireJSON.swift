import Foundation
package import HTTPTypes
package import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel

extension Response {
    /// A response with a value as JSON.
    package init(_ status: HTTPResponse.Status, _ value: some Encodable & Sendable) {
        guard let data = try? WireJSON.encode(value) else {
            // Encoding a wire type never fails. If it did, an empty 503 response would make the client retry.
            self.init(status: .serviceUnavailable)
            return
        }
        self.init(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(data: data))
        )
    }
}
