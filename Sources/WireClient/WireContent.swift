package import AsyncHTTPClient

/// The body of a request and its media type.
package struct WireContent: Sendable {
    /// The media type, such as `application/json`.
    package var type: String
    /// The bytes of the body.
    package var body: HTTPClientRequest.Body

    /// Creates the body of a request.
    package init(type: String, body: HTTPClientRequest.Body) {
        self.type = type
        self.body = body
    }
}
