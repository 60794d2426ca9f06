import Foundation

/// An element of an XML response.
///
/// Foundation's parser, on which XMLCoder is based, is not used: it ends the process at a name with invalid UTF-8, and accepts 100,000
/// nested elements, whose tree XMLCoder visits recursively.
struct S3XML: Hashable, Sendable {
    /// The maximum length of a document in bytes: 4 MiB.
    ///
    /// A page of 1,000 objects has about 500 KB.
    static let maximumLength = 4 << 20
    /// The maximum number of elements in a document.
    static let maximumElementCount = 100_000
    /// The maximum depth of an element; the responses of S3 have a depth of 4.
    static let maximumDepth = 16

    /// The local name of the element.
    let name: String
    /// The characters of the element, without those of its children.
    fileprivate(set) var text = ""
    fileprivate(set) var children: [S3XML] = []

    /// Parses a document in UTF-8; nil for a malformed one, one with a document type, and one that exceeds a limit.
    ///
    /// Blanks before the document are ignored, because S3 sends them to keep the connection open.
    init?(_ data: Data) {
        // Invalid UTF-8 and control characters are refused before anything else is read.
        guard data.count <= Self.maximumLength, let text = String(validating: data, as: UTF8.self),
            text.utf8.allSatisfy({ $0 >= 0x20 || S3XMLReader.isBlank($0) })
        else { return nil }
        var reader = S3XMLReader(text)
        guard let root = reader.document() else { return nil }
        self = root
    }

    fileprivate init(name: String) {
        self.name = name
    }

    /// Returns the text of the first child with a name; nil without such a child.
    subscript(_ name: String) -> String? { children.first { $0.name == name }?.text }

    /// Returns the children with a name.
    func all(_ name: String) -> [S3XML] { children.filter { $0.name == name } }

    /// Escapes a text for the content of an element.
    static func escape(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}

/// Reads the elements of a document from its beginning to its end.
///
/// The reader accepts the part of XML 1.0 that servers send: elements, attributes, whose values are ignored, the predefined entities,
/// character references, sections of characters, comments and processing instructions. A document type is refused, because it could define
/// entities whose expansion costs memory.
///
/// Source: [XML 1.0](https://www.w3.org/TR/xml/).
private struct S3XMLReader {
    private var rest: ArraySlice<UInt8>
    private var root: S3XML?
    private var count = 0
    /// The open elements with their qualified names, outermost first.
    private var open: [(name: ArraySlice<UInt8>, element: S3XML)] = []

    init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// Reads the root element; nil for a malformed document.
    mutating func document() -> S3XML? {
        while !rest.isEmpty {
            guard readNext() else { return nil }
        }
        return open.isEmpty ? root : nil
    }

    /// Reads markup, or characters up to the next markup; false for a malformed document.
    private mutating func readNext() -> Bool {
        if consume("<!--") { return take(through: "-->") != nil }
        if consume("<![CDATA[") {
            guard !open.isEmpty, let characters = take(through: "]]>") else { return false }
            append(String(decoding: characters, as: UTF8.self))
            return true
        }
        if consume("<?") { return take(through: "?>") != nil }
        if consume("</") { return readEndTag() }
        if rest.starts(with: "<!".utf8) { return false }
        if consume("<") { return readStartTag() }
        let characters = rest.prefix { $0 != UInt8(ascii: "<") }
        rest = rest[characters.endIndex...]
        if open.isEmpty { return characters.allSatisfy(Self.isBlank) }
        guard let text = Self.text(characters) else { return false }
        append(text)
        return true
    }

    private mutating func readStartTag() -> Bool {
        count += 1
        guard root == nil, count <= S3XML.maximumElementCount, open.count < S3XML.maximumDepth, let name = takeName() else { return false }
        let localName = name.split(separator: UInt8(ascii: ":")).last ?? name
        open.append((name, S3XML(name: String(decoding: localName, as: UTF8.self))))
        while true {
            let hasBlank = skipBlanks()
            if consume(">") { return true }
            if consume("/>") {
                close()
                return true
            }
            guard hasBlank, skipAttribute() else { return false }
        }
    }

    private mutating func readEndTag() -> Bool {
        guard let name = takeName(), name == open.last?.name else { return false }
        skipBlanks()
        guard consume(">") else { return false }
        close()
        return true
    }

    /// Ends the innermost element.
    private mutating func close() {
        guard let (_, element) = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].element.children.append(element) }
    }

    private mutating func append(_ text: String) {
        open[open.count - 1].element.text += text
    }

    private mutating func skipAttribute() -> Bool {
        guard takeName() != nil else { return false }
        skipBlanks()
        guard consume("=") else { return false }
        skipBlanks()
        guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let end = rest.firstIndex(of: quote), !rest[..<end].contains(UInt8(ascii: "<"))
        else { return false }
        rest = rest[(end + 1)...]
        return true
    }

    /// Returns the bytes of a name; nil if another character follows.
    private mutating func takeName() -> ArraySlice<UInt8>? {
        let name = rest.prefix { byte in
            !Self.isBlank(byte) && !"<>/=\"'&?!".utf8.contains(byte)
        }
        rest = rest[name.endIndex...]
        return name.isEmpty ? nil : name
    }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let blanks = rest.prefix(while: Self.isBlank)
        rest = rest[blanks.endIndex...]
        return !blanks.isEmpty
    }

    private mutating func consume(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// Returns the bytes before a text, and continues after the text; nil if the document does not contain the text.
    private mutating func take(through text: String) -> ArraySlice<UInt8>? {
        guard let range = rest.firstRange(of: Array(text.utf8)) else { return nil }
        defer { rest = rest[range.upperBound...] }
        return rest[..<range.lowerBound]
    }

    /// Returns characters with their references replaced; nil for an unknown entity or an invalid character.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var result = ""
        var rest = bytes
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += String(decoding: rest[..<start], as: UTF8.self)
            // The longest reference is &#x10FFFF; with its leading zeros limited.
            guard let end = rest[start...].prefix(16).firstIndex(of: UInt8(ascii: ";")),
                let character = character(String(decoding: rest[(start + 1)..<end], as: UTF8.self))
            else { return nil }
            result.unicodeScalars.append(character)
            rest = rest[(end + 1)...]
        }
        return result + String(decoding: rest, as: UTF8.self)
    }

    /// Returns the character of a reference, such as `lt`, `#60` or `#x3C`.
    private static func character(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            // The initializer of an integer accepts a sign.
            guard name.hasPrefix("#"), !name.contains("+") else { return nil }
            let value = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
            guard let value, value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value) else { return nil }
            return Unicode.Scalar(value)
        }
    }
}
