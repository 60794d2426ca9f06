package import Foundation
import PurchaseModel
package import WireClient

extension WireClient {
    /// Sends a request with only the given headers, and returns the complete response with any status, with all lines of its headers.
    package func answer(
        _ method: String, _ path: String, _ headers: [String: String], _ body: Data?
    ) async throws -> (status: Int, headers: [(name: String, value: String)], body: Data) {
        let response = try await WireClient.open(method, url: baseURL.base + path, headers, body)
        var data = Data()
        for try await part in response.bytes { data += part }
        return (response.status, response.headers, data)
    }
}
