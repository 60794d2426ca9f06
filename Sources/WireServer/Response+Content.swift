package import HTTPTypes
package import Hummingbird
import PurchaseProtocol

extension Response {
    /// Responds to a request for content with the whole content, the requested part, or status 416 (RFC 9110, section 14).
    ///
    /// A range counts only if `If-Range` is absent or names this content's strong tag, so that a client never joins parts of two
    /// versions. Dates in `If-Range` never match, because no dates are sent. HEAD ignores ranges (section 14.2).
    ///
    /// - Parameters:
    ///   - length: The length of the whole content in bytes.
    ///   - entityTag: The strong tag of exactly these bytes.
    ///   - headers: Further headers of the responses that carry content.
    ///   - body: Returns a body that streams these bytes of the content.
    package static func content(
        length: Int64, entityTag: String, headers: HTTPFields = [:], for request: Request, body: (Range<Int64>) -> ResponseBody
    ) -> Response {
        let honorsRange = request.method == .get && request.headers[.ifRange].map { $0 == entityTag } ?? true
        var headers = headers
        headers[.acceptRanges] = "bytes"
        headers[.eTag] = entityTag
        headers[.contentType] = "application/octet-stream"
        switch honorsRange ? ByteRange(header: request.headers[.range], length: length) : .whole {
        case .whole:
            headers[.contentLength] = String(length)
            return Response(status: .ok, headers: headers, body: body(0..<length))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
            headers[.contentLength] = String(range.count)
            return Response(status: .partialContent, headers: headers, body: body(range))
        case .unsatisfiable:
            let message = "The content has \(length) bytes, none of which is in the requested range."
            var response = Response(.rangeNotSatisfiable, WireError(code: "content.range", message: message))
            response.headers[.contentRange] = "bytes */\(length)"
            return response
        }
    }
}
