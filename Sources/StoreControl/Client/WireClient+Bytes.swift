package import Foundation
import FoundationExtras
package import Wire
package import WireClient

extension WireClient {
    /// Sends a request, and returns the bytes of a successful response before they are read.
    ///
    /// Reading the bytes has no deadline, but fails after a minute in which no byte arrives.
    ///
    /// - Throws: ``WireClientError/refused(status:_:)`` for an error of the store, and ``WireClientError/invalidResponse(status:)`` for another
    ///   status than 200 to 299.
    package func bytes(
        _ method: String, _ path: String, token: String?, contentType: String? = nil, _ body: Data? = nil
    ) async throws(WireClientError) -> WireBytes {
        var headers = ["Accept": "application/json"]
        headers["Authorization"] = token.map { "Bearer \($0)" }
        headers["Content-Type"] = contentType
        let response = try await open(method, path, headers, body)
        guard !(200..<300).contains(response.status) else { return response.bytes }
        let bytes = response.bytes
        guard let data = try? await withDeadline(.seconds(30), { try await bytes.data(upTo: 1 << 20) }),
            let error = try? WireJSON.decode(WireError.self, from: data)
        else {
            throw .invalidResponse(status: response.status)
        }
        throw .refused(status: response.status, error)
    }
}

extension WireBytes {
    /// Reads all bytes.
    ///
    /// - Throws: ``WireClientError/unreachable`` for more bytes than the limit, or the error of the connection.
    func data(upTo limit: Int = .max) async throws -> Data {
        var data = Data()
        for try await part in self {
            guard part.count <= limit - data.count else { throw WireClientError.unreachable }
            data += part
        }
        return data
    }
}
