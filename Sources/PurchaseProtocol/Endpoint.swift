import PurchaseModel

/// One route of one of our protocols, described once: the client calls it, the server mounts it.
package struct Endpoint<Request: Codable & Sendable, Response: Codable & Sendable>: Sendable {
    /// How it is asked.
    package enum Method: String, Sendable {
        /// Reads; has no body.
        case get = "GET"
        /// Acts; the request is the JSON body.
        case post = "POST"
        /// Removes; has no body.
        case delete = "DELETE"
    }

    /// How it is asked.
    package let method: Method
    /// The path, with parameters in braces: `/v1/content/{product}`.
    package let template: String

    /// Describes a route.
    package init(_ method: Method, _ template: String) {
        self.method = method
        self.template = template
    }

    /// The path with its parameters filled in and percent-encoded; a parameter that is not given stays empty.
    package func path(_ parameters: [String: String] = [:]) -> String {
        PathTemplate.fill(template, parameters)
    }
}

/// The body of a request or an answer that has nothing to say: an empty JSON object.
package struct Empty: Codable, Hashable, Sendable {
    /// Creates the empty object.
    package init() {}
}
