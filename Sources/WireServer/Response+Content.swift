package import HTTPTypes
package import Hummingbird
import Wire

extension Response {
    /// Returns the response to a request for content: the whole content, the requested part, status 304, or status 416.
    ///
    /// A request for several ranges receives status 416, because a client that understands no `multipart/byteranges` would join the parts
    /// with their headers. RFC 9110 (section 14.2) permits both.
    ///
    /// - Parameters:
    ///   - length: The length of the whole content in bytes.
    ///   - entityTag: The strong entity tag of the content, which is different for any other bytes.
    ///   - headers: Additional headers for a response that contains the content or a part of the content; the default media type is
    ///     `application/octet-stream`.
    ///   - body: Returns a response body that streams the given range of the content's bytes; not called for HEAD.
    package static func content(
        length: Int64, entityTag: String, headers: HTTPFields = [:], for request: Request,
        body: (Range<Int64>) async throws -> ResponseBody
    ) async rethrows -> Response {
        var headers = headers
        headers[.acceptRanges] = "bytes"
        headers[.eTag] = entityTag
        headers[.contentType] = headers[.contentType] ?? "application/octet-stream"
        switch ContentSelection(request, length: length, entityTag: entityTag) {
        case .notModified:
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        case .whole:
            headers[.contentLength] = String(length)
            return Response(status: .ok, headers: headers, body: request.method == .head ? ResponseBody() : try await body(0..<length))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
            headers[.contentLength] = String(range.count)
            return Response(status: .partialContent, headers: headers, body: try await body(range))
        case .unsatisfiable:
            return .refusedRange(
                length, "content.range",
                "The requested range is outside of the content, which has \(length) bytes. Request a range within the content.")
        case .severalRanges:
            return .refusedRange(
                length, "content.several-ranges", "The request has several ranges. Send one request for each range, or omit the ranges.")
        }
    }

    private static func refusedRange(_ length: Int64, _ code: String, _ message: String) -> Response {
        var response = Response(.rangeNotSatisfiable, WireError(code: code, message: message))
        response.headers[.contentRange] = "bytes */\(length)"
        return response
    }
}
