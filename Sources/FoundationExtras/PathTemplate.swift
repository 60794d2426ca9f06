import Foundation

/// The paths of endpoints, with parameters in braces, such as `/v1/content/{product}`, and their queries.
package enum PathTemplate {
    /// Returns a path in which percent-encoded values replace the parameters in braces; a parameter without a value becomes empty.
    package static func fill(_ template: String, _ parameters: [String: String]) -> String {
        var unreserved = CharacterSet.alphanumerics
        unreserved.insert(charactersIn: "-._~")
        return template.split(separator: "/", omittingEmptySubsequences: false).map { part in
            guard part.first == "{", part.last == "}" else { return String(part) }
            let value = parameters[String(part.dropFirst().dropLast())] ?? ""
            return value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        }.joined(separator: "/")
    }

    /// Returns the query parameters as the end of a URL, sorted by name; empty without parameters.
    package static func query(_ query: [String: String]) -> String {
        guard !query.isEmpty else { return "" }
        var unreserved = CharacterSet.alphanumerics
        unreserved.insert(charactersIn: "-._~")
        let parts = query.sorted { $0.key < $1.key }.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")"
        }
        return "?" + parts.joined(separator: "&")
    }
}
