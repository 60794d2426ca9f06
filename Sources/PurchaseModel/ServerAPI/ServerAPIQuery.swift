import Foundation

/// The query of a URL: parameter names and values, in order and possibly with repeated names.
public struct ServerAPIQuery: Hashable, Sendable {
    /// The percent-decoded names and values, in order.
    public private(set) var items: [(name: String, value: String)] = []

    /// Creates an empty query.
    public init() {}

    /// Parses a percent-encoded query, without its question mark.
    ///
    /// A plus sign decodes to a space, because clients of the App Store Server API send spaces in this form. A name or value that is not
    /// percent-encoded UTF-8, or that contains an encoded control character, stays encoded.
    public init(_ text: some StringProtocol) {
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { text in
                let text = text.replacingOccurrences(of: "+", with: " ")
                guard let decoded = text.removingPercentEncoding, !decoded.unicodeScalars.contains(where: IdentifierText.isControl) else {
                    return text
                }
                return decoded
            }
            if let name = pair.first { items.append((name, pair.count > 1 ? pair[1] : "")) }
        }
    }

    /// Appends a parameter, or does nothing when its value is nil.
    public mutating func add(_ name: String, _ value: (some CustomStringConvertible)?) {
        if let value { items.append((name, value.description)) }
    }

    /// Returns all values of the parameters with a name, in order.
    public func values(_ name: String) -> [String] {
        items.filter { $0.name == name }.map(\.value)
    }

    /// The percent-encoded query, without its question mark.
    public var text: String {
        var unreserved = CharacterSet.alphanumerics
        unreserved.insert(charactersIn: "-._~")
        func encode(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "" }
        return items.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// Returns whether two queries have the same names and values in the same order.
    public static func == (lhs: ServerAPIQuery, rhs: ServerAPIQuery) -> Bool {
        lhs.items.elementsEqual(rhs.items) { $0 == $1 }
    }

    /// Hashes the names and values.
    public func hash(into hasher: inout Hasher) {
        for item in items {
            hasher.combine(item.name)
            hasher.combine(item.value)
        }
    }
}
