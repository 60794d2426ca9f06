import Hummingbird

/// A rendered HTML page, served with headers that forbid scripts, external resources, framing and caching.
struct HTMLPage: ResponseGenerator {
    let status: HTTPResponse.Status
    let html: String
    /// The hash of the page's style sheet as a source expression of Content Security Policy, `'sha256-…'`.
    let styleSource: String

    func response(from request: Request, context: some RequestContext) throws -> Response {
        let policy = "default-src 'none'; style-src \(styleSource); base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        return Response(
            status: status, headers: .page(type: "text/html; charset=utf-8", policy: policy),
            body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }
}

extension HTTPFields {
    /// Returns the header fields of a page or of a file of a page, which forbid caching, other content types and referrers.
    ///
    /// - Parameters:
    ///   - type: The content type.
    ///   - policy: The Content Security Policy.
    static func page(type: String, policy: String) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: type,
            .cacheControl: "no-store",
            .contentSecurityPolicy: policy,
            .xContentTypeOptions: "nosniff",
        ]
        // Name the type as the element of `HTTPFields`, because Hummingbird does not export `HTTPField`.
        if let referrerPolicy = HTTPFields.Element.Name("Referrer-Policy") {
            headers[referrerPolicy] = "no-referrer"
        }
        return headers
    }
}
