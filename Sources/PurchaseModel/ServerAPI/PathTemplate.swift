import Foundation

/// Paths with parameters in braces, such as `/v1/content/{product}`.
package enum PathTemplate {
    /// The path with its parameters filled in and percent-encoded; a parameter that is not given is empty.
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
