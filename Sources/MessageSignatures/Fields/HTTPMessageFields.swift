/// The header fields of an HTTP message.
///
/// Names are compared without case. A field can have several lines, whose order matters.
public struct HTTPMessageFields: Hashable, Sendable {
    private struct Line: Hashable, Sendable {
        let name: String
        let value: String
    }

    private var lines: [Line]

    /// Creates fields from lines of names and values.
    public init(_ lines: some Sequence<(name: String, value: String)> = []) {
        self.lines = lines.map { Line(name: $0.name.lowercased(), value: $0.value) }
    }

    /// The names, in lower case, and the values of all lines.
    public var all: [(name: String, value: String)] { lines.map { ($0.name, $0.value) } }

    /// The value of a field: that of all its lines, without white space at their ends, joined by a comma and a space.
    ///
    /// This is the value that a signature covers (RFC 9421, section 2.1). It is nil for a field that is missing. Setting a value replaces
    /// all lines of the field, and setting nil removes them.
    public subscript(_ name: String) -> String? {
        get {
            let name = name.lowercased()
            let values = lines.lazy.filter { $0.name == name }.map { Self.trimmed($0.value) }
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        set {
            let name = name.lowercased()
            lines.removeAll { $0.name == name }
            if let newValue { lines.append(Line(name: name, value: newValue)) }
        }
    }

    private static func trimmed(_ value: String) -> String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let text = value.utf8.drop(while: isBlank)
        let end = text.lastIndex { !isBlank($0) }.map { text.index(after: $0) } ?? text.startIndex
        return String(decoding: text[text.startIndex..<end], as: UTF8.self)
    }
}

extension HTTPMessageFields: ExpressibleByDictionaryLiteral {
    /// Creates fields from a literal of names and values.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { (name: $0.0, value: $0.1) })
    }
}
