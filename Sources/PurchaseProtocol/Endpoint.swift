import PurchaseModel

/// One route of a Tillroll protocol: the client calls the route, and the server mounts it.
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
    /// The path, with parameters in braces: `/v1/content/{product}`.
    package let template: String

    /// Describes a route.
    package init(_ method: Method, _ template: String) {
        self.method = method
        self.template = template
    }

    /// The path with its parameters filled in and percent-encoded; a missing parameter stays empty.
    package func path(_ parameters: [String: String] = [:]) -> String {
        PathTemplate.fill(template, parameters)
    }
}

/// The body of a request or a response without members: an empty JSON object.
package struct Empty: Codable, Hashable, Sendable {
    /// Creates the empty object.
    package init() {}
}
