import Foundation

/// One route of one of our protocols, described once: the client calls it, the server mounts it.
public struct Endpoint<Request: Codable & Sendable, Response: Codable & Sendable>: Sendable {
    /// How it is asked.
    public enum Method: String, Sendable {
        /// Reads; has no body.
        case get = "GET"
        /// Acts; the request is the JSON body.
        case post = "POST"
        /// Removes; has no body.
        case delete = "DELETE"
    }

    /// How it is asked.
    public let method: Method
    /// The path, with parameters in braces: `/v1/content/{product}`.
    public let template: String

    /// Describes a route.
    public init(_ method: Method, _ template: String) {
        self.method = method
        self.template = template
    }

    /// The path with its parameters filled in and percent-encoded; a parameter that is not given stays empty.
    public func path(_ parameters: [String: String] = [:]) -> String {
        var unreserved = CharacterSet.alphanumerics
        unreserved.insert(charactersIn: "-._~")
        return template.split(separator: "/", omittingEmptySubsequences: false).map { part in
            guard part.first == "{", part.last == "}" else { return String(part) }
            let value = parameters[String(part.dropFirst().dropLast())] ?? ""
            return value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        }.joined(separator: "/")
    }
}

/// The body of a request or an answer that has nothing to say: an empty JSON object.
public struct Empty: Codable, Hashable, Sendable {
    /// Creates the empty object.
    public init() {}
}
