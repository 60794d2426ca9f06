import FoundationExtras

/// An HTTP route of one of Tillroll's protocols, which clients call and servers mount.
package struct Endpoint<Request: Codable & Sendable, Response: Codable & Sendable>: Sendable {
    /// The HTTP method.
    package enum Method: String, Sendable {
        /// Reads a resource; the request has no body.
        case get = "GET"
        /// Performs an action; the request is the JSON body.
        case post = "POST"
        /// Removes a resource; the request has no body.
        case delete = "DELETE"
    }

    /// The HTTP method.
    package let method: Method
    /// The path, with parameters in braces, such as `/v1/content/{product}`.
    package let template: String

    /// Creates a route from a method and a path.
    package init(_ method: Method, _ template: String) {
        self.method = method
        self.template = template
    }

    /// Returns the path with its parameters filled in and percent-encoded; a missing parameter becomes an empty text.
    package func path(_ parameters: [String: String] = [:]) -> String {
        PathTemplate.fill(template, parameters)
    }
}

/// A request or response body without members: an empty JSON object.
package struct Empty: Codable, Hashable, Sendable {
    /// Creates an empty body.
    package init() {}
}
