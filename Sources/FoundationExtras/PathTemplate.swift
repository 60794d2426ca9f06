import Foundation

/// The paths of endpoints, with parameters in braces, such as `/v1/content/{product}`.
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
}
