import Hummingbird

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
        // Hummingbird exports `HTTPFields` but not `HTTPField`, so the type is named as the element of `HTTPFields`.
        if let referrerPolicy = HTTPFields.Element.Name("Referrer-Policy") {
            headers[referrerPolicy] = "no-referrer"
        }
        return headers
    }
}
