import Foundation

/// The query of an address: names and values in order, where a name may stand several times.
public struct ServerAPIQuery: Hashable, Sendable {
    /// The names and values, decoded.
    public private(set) var items: [(name: String, value: String)] = []

    /// Creates a query that asks nothing.
    public init() {}

    /// Takes a query apart as it was sent, without its question mark.
    ///
    /// A plus sign is a space, as clients of the API send it; what is not percent-encoded UTF-8, or holds a control character, stays
    /// as it is.
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

    /// Adds a value; nil adds nothing.
    public mutating func add(_ name: String, _ value: (some CustomStringConvertible)?) {
        if let value { items.append((name, value.description)) }
    }

    /// Every value of a name, in order.
    public func values(_ name: String) -> [String] {
        items.filter { $0.name == name }.map(\.value)
    }

    /// The query as it is sent, without its question mark.
    public var text: String {
        var unreserved = CharacterSet.alphanumerics
        unreserved.insert(charactersIn: "-._~")
        func encode(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "" }
        return items.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// Whether both ask the same in the same order.
    public static func == (lhs: ServerAPIQuery, rhs: ServerAPIQuery) -> Bool {
        lhs.items.elementsEqual(rhs.items) { $0 == $1 }
    }

    /// Feeds names and values into a hash.
    public func hash(into hasher: inout Hasher) {
        for item in items {
            hasher.combine(item.name)
            hasher.combine(item.value)
        }
    }
}
