package import HTTPTypes
package import Hummingbird
import PurchaseProtocol

extension Response {
    /// Returns the response to a request for content: the whole content, the requested part, or status 416 (RFC 9110, section 14).
    ///
    /// The range of a request is ignored when `If-Range` has a value other than the entity tag of the content, so that a client never joins
    /// parts of two versions. A date in `If-Range` never matches, because the responses contain no date of the content. HEAD ignores ranges
    /// (section 14.2).
    ///
    /// - Parameters:
    ///   - length: The length of the whole content in bytes.
    ///   - entityTag: The strong entity tag of the content, which is different for any other bytes.
    ///   - headers: Additional headers for a response that contains the content or a part of the content.
    ///   - body: Returns a response body that streams the given range of the content's bytes.
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
            let message = "The requested range is outside of the content, which has \(length) bytes. Request a range within the content."
            var response = Response(.rangeNotSatisfiable, WireError(code: "content.range", message: message))
            response.headers[.contentRange] = "bytes */\(length)"
            return response
        }
    }
}
