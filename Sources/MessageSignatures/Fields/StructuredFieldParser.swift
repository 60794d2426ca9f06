import PurchaseProof

/// A parser of dictionaries in structured fields (RFC 9651, section 4.2).
///
/// The parser accepts any text, and returns a dictionary or throws, in linear time. Inner lists cannot be nested, so the depth is bounded
/// by the grammar; sizes and numbers of elements are bounded by the constants.
struct StructuredFieldParser {
    /// The maximum size of a field in bytes.
    static let maximumSize = 8 << 10
    /// The maximum number of members of a dictionary, of items of an inner list, and of parameters of one of them.
    static let maximumElements = 32

    private let bytes: [UInt8]
    private var index = 0

    private init(_ text: String) throws(StructuredFieldError) {
        guard text.utf8.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
        bytes = Array(text.utf8)
    }

    /// Parses a dictionary; an empty text is an empty dictionary.
    static func dictionary(_ text: String) throws(StructuredFieldError) -> StructuredDictionary {
        var parser = try StructuredFieldParser(text)
        return try parser.dictionary()
    }

    /// Returns whether a text is a key: lower-case letters, digits, `_`, `-`, `.` and `*`, not beginning with a digit or punctuation.
    static func isKey(_ text: String) -> Bool {
        text.utf8.first.map(startsKey) ?? false && text.utf8.allSatisfy(continuesKey)
    }

    /// Returns whether a text can be a string of a structured field: printable ASCII.
    static func isString(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private var malformed: StructuredFieldError { .malformed(offset: index) }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func require(_ byte: UInt8) throws(StructuredFieldError) {
        guard consume(byte) else { throw malformed }
    }

    private mutating func skipSpaces() {
        while consume(UInt8(ascii: " ")) {}
    }

    /// Skips optional white space (RFC 9110, section 5.6.3): spaces and tabs.
    private mutating func skipWhitespace() {
        while consume(UInt8(ascii: " ")) || consume(UInt8(ascii: "\t")) {}
    }

    /// Parses a dictionary and the end of the text (RFC 9651, section 4.2.2, and section 4.2, steps 2 to 7).
    private mutating func dictionary() throws(StructuredFieldError) -> StructuredDictionary {
        var dictionary = StructuredDictionary()
        skipSpaces()
        while next != nil {
            guard dictionary.members.count < Self.maximumElements else { throw .tooManyElements(limit: Self.maximumElements) }
            let start = index
            let key = try key()
            guard dictionary[key] == nil else { throw .duplicateKey(offset: start) }
            let value: StructuredMember =
                if consume(UInt8(ascii: "=")) { try member() } else {
                    .item(StructuredItem(value: .boolean(true), parameters: try parameters()))
                }
            dictionary.members.append(StructuredDictionary.Member(key: key, value: value))
            skipWhitespace()
            guard next != nil else { break }
            try require(UInt8(ascii: ","))
            skipWhitespace()
            // A comma at the end is an error (section 4.2.2, step 2.7).
            guard next != nil else { throw malformed }
        }
        return dictionary
    }

    private mutating func member() throws(StructuredFieldError) -> StructuredMember {
        next == UInt8(ascii: "(") ? .list(try list()) : .item(try item())
    }

    /// Parses an inner list (RFC 9651, section 4.2.1.2).
    private mutating func list() throws(StructuredFieldError) -> StructuredList {
        try require(UInt8(ascii: "("))
        var items: [StructuredItem] = []
        skipSpaces()
        while !consume(UInt8(ascii: ")")) {
            guard items.count < Self.maximumElements else { throw .tooManyElements(limit: Self.maximumElements) }
            items.append(try item())
            guard next == UInt8(ascii: " ") || next == UInt8(ascii: ")") else { throw malformed }
            skipSpaces()
        }
        return StructuredList(items: items, parameters: try parameters())
    }

    private mutating func item() throws(StructuredFieldError) -> StructuredItem {
        StructuredItem(value: try value(), parameters: try parameters())
    }

    /// Parses parameters (RFC 9651, section 4.2.3.2).
    private mutating func parameters() throws(StructuredFieldError) -> [StructuredParameter] {
        var parameters: [StructuredParameter] = []
        while consume(UInt8(ascii: ";")) {
            guard parameters.count < Self.maximumElements else { throw .tooManyElements(limit: Self.maximumElements) }
            skipSpaces()
            let start = index
            let name = try key()
            guard !parameters.contains(where: { $0.name == name }) else { throw .duplicateKey(offset: start) }
            parameters.append(StructuredParameter(name, consume(UInt8(ascii: "=")) ? try value() : .boolean(true)))
        }
        return parameters
    }

    private mutating func key() throws(StructuredFieldError) -> String {
        guard let first = next, Self.startsKey(first) else { throw malformed }
        return text(while: Self.continuesKey)
    }

    /// Parses a bare item (RFC 9651, section 4.2.3.1).
    private mutating func value() throws(StructuredFieldError) -> StructuredValue {
        switch next {
        case UInt8(ascii: "\""): .string(try string())
        case UInt8(ascii: ":"): .bytes(try byteSequence())
        case UInt8(ascii: "?"): .boolean(try boolean())
        case UInt8(ascii: "-"): try number()
        case .some(let byte) where Self.isDigit(byte): try number()
        case .some(let byte) where Self.isLetter(byte) || byte == UInt8(ascii: "*"): .token(text(while: Self.continuesToken))
        default: throw malformed
        }
    }

    /// Parses an integer or a decimal (RFC 9651, section 4.2.4).
    private mutating func number() throws(StructuredFieldError) -> StructuredValue {
        let sign: Int64 = consume(UInt8(ascii: "-")) ? -1 : 1
        let whole = text(while: Self.isDigit)
        // At most 15 digits fit into 64 bits, and so do 12 digits with three fractional ones.
        guard (1...15).contains(whole.utf8.count), let integer = Int64(whole) else { throw malformed }
        guard consume(UInt8(ascii: ".")) else { return .integer(sign * integer) }
        let fraction = text(while: Self.isDigit)
        guard whole.utf8.count <= 12, (1...3).contains(fraction.utf8.count),
            let thousandths = Int64(fraction + String(repeating: "0", count: 3 - fraction.utf8.count))
        else { throw malformed }
        return .decimal(thousandths: sign * (integer * 1000 + thousandths))
    }

    /// Parses a string (RFC 9651, section 4.2.5).
    private mutating func string() throws(StructuredFieldError) -> String {
        try require(UInt8(ascii: "\""))
        var text: [UInt8] = []
        while let byte = next, (0x20...0x7E).contains(byte) {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = next, escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else { throw malformed }
                index += 1
                text.append(escaped)
            default: text.append(byte)
            }
        }
        throw malformed
    }

    /// Parses a byte sequence (RFC 9651, section 4.2.7).
    ///
    /// Padding may be missing, as section 4.2.7 asks for. Unused bits that are not zero are refused, so that a sequence of bytes has one
    /// form with padding and one without it.
    private mutating func byteSequence() throws(StructuredFieldError) -> [UInt8] {
        let start = index
        try require(UInt8(ascii: ":"))
        let end = bytes[index...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
        guard let decoded = Base64.decode(bytes[index..<end]) else { throw .malformed(offset: start) }
        index = end
        try require(UInt8(ascii: ":"))
        return decoded
    }

    /// Parses a Boolean (RFC 9651, section 4.2.8).
    private mutating func boolean() throws(StructuredFieldError) -> Bool {
        try require(UInt8(ascii: "?"))
        if consume(UInt8(ascii: "1")) { return true }
        try require(UInt8(ascii: "0"))
        return false
    }

    private mutating func text(while isPart: (UInt8) -> Bool) -> String {
        let part = bytes[index...].prefix(while: isPart)
        index = part.endIndex
        return String(decoding: part, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLowercase(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { isLowercase(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    private static func startsKey(_ byte: UInt8) -> Bool { isLowercase(byte) || byte == UInt8(ascii: "*") }

    private static func continuesKey(_ byte: UInt8) -> Bool { isLowercase(byte) || isDigit(byte) || "_-.*".utf8.contains(byte) }

    private static func continuesToken(_ byte: UInt8) -> Bool { HTTPSyntax.isTokenCharacter(byte) || ":/".utf8.contains(byte) }
}

/// Base64 with or without padding (RFC 4648, section 4), whose unused bits at the end must be zero.
private enum Base64 {
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding == 0 || (padding <= 2 && text.count.isMultiple(of: 4)) else { return nil }
        // The characters of base64url are replaced by one that is in neither alphabet.
        let replaced: [UInt8] = text.dropLast(padding).map {
            switch $0 {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "-"), UInt8(ascii: "_"): UInt8(ascii: "=")
            default: $0
            }
        }
        return Base64URL.decode(replaced)
    }
}
