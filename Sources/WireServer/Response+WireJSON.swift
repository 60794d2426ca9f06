import Foundation
import FoundationExtras
package import HTTPTypes
package import Hummingbird
import NIOCore
import NIOFoundationCompat

extension Response {
    /// Creates a response with a value as its JSON body.
    package init(_ status: HTTPResponse.Status, _ value: some Encodable & Sendable) {
        guard let data = try? WireJSON.encode(value) else {
            // Encoding a reply never fails. If it did, the empty response with status 503 would make the client try again.
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
