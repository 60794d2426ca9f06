import Hummingbird

/// A rendered HTML page, served with headers that forbid scripts, external resources, framing and caching.
struct HTMLPage: ResponseGenerator {
    let status: HTTPResponse.Status
    let html: String
    /// The hash of the page's style sheet as a source expression of Content Security Policy, `'sha256-…'`.
    let styleSource: String

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .cacheControl: "no-store",
            .contentSecurityPolicy:
                "default-src 'none'; style-src \(styleSource); base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            .xContentTypeOptions: "nosniff",
        ]
        // Hummingbird exports `HTTPFields` but not `HTTPField`, so the type is named as the element of `HTTPFields`.
        if let referrerPolicy = HTTPFields.Element.Name("Referrer-Policy") {
            headers[referrerPolicy] = "no-referrer"
        }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }
}
