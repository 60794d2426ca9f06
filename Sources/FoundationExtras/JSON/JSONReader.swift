/// A parser of JSON (RFC 8259) in UTF-8 that preserves the order of members and the digits of numbers.
///
/// The parser accepts any bytes, and returns a value or nil in linear time. Objects and arrays can be nested up to ``maximumDepth`` levels,
/// more than in any known signed data.
package struct JSONReader {
    /// The maximum depth of nested objects and arrays.
    package static let maximumDepth = 64

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Parses bytes as JSON; returns nil when the bytes are not exactly one JSON text.
    package static func read(_ bytes: [UInt8]) -> JSONValue? {
        var reader = JSONReader(bytes)
        guard let value = reader.value(depth: 0) else { return nil }
        reader.skipWhitespace()
        return reader.position == bytes.count ? value : nil
    }

    /// Returns the offset of the first byte that is not valid JSON, or nil for valid JSON.
    package static func errorOffset(in bytes: [UInt8]) -> Int? {
        var reader = JSONReader(bytes)
        guard reader.value(depth: 0) != nil else { return reader.position }
        reader.skipWhitespace()
        return reader.position == bytes.count ? nil : reader.position
    }

    private var current: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func consume(_ word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func value(depth: Int) -> JSONValue? {
        skipWhitespace()
        switch current {
        case UInt8(ascii: "{"): return object(depth: depth + 1)
        case UInt8(ascii: "["): return array(depth: depth + 1)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return consume("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return consume("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return consume("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        guard depth <= Self.maximumDepth, consume(UInt8(ascii: "{")) else { return nil }
        var members: [JSONValue.Member] = []
        skipWhitespace()
        if consume(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipWhitespace()
            guard let name = string() else { return nil }
            skipWhitespace()
            guard consume(UInt8(ascii: ":")), let value = value(depth: depth) else { return nil }
            members.append(JSONValue.Member(name, value))
            skipWhitespace()
        } while consume(UInt8(ascii: ","))
        return consume(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func array(depth: Int) -> JSONValue? {
        guard depth <= Self.maximumDepth, consume(UInt8(ascii: "[")) else { return nil }
        var elements: [JSONValue] = []
        skipWhitespace()
        if consume(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            guard let element = value(depth: depth) else { return nil }
            elements.append(element)
            skipWhitespace()
        } while consume(UInt8(ascii: ","))
        return consume(UInt8(ascii: "]")) ? .array(elements) : nil
    }

    private mutating func digits() -> Bool {
        let start = position
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position > start
    }

    private mutating func number() -> JSONValue? {
        let start = position
        _ = consume(UInt8(ascii: "-"))
        // JSON forbids a digit after a leading zero.
        guard consume(UInt8(ascii: "0")) || digits() else { return nil }
        if consume(UInt8(ascii: ".")) {
            guard digits() else { return nil }
        }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            guard digits() else { return nil }
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func string() -> String? {
        guard consume(UInt8(ascii: "\"")) else { return nil }
        var text: [UInt8] = []
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard escape(into: &text) else { return nil }
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escape(into text: inout [UInt8]) -> Bool {
        guard let byte = current else { return false }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            guard let scalar = scalar() else { return false }
            text.append(contentsOf: Character(scalar).utf8)
        default: return false
        }
        return true
    }

    /// Parses the hexadecimal digits after `\u`; two surrogates form one character beyond U+FFFF (RFC 8259, section 7).
    private mutating func scalar() -> Unicode.Scalar? {
        guard let high = codeUnit() else { return nil }
        guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) }
        guard consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")), let low = codeUnit(), (0xDC00..<0xE000).contains(low) else {
            return nil
        }
        return Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    }

    private mutating func codeUnit() -> UInt32? {
        guard bytes.count - position >= 4 else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Hexadecimal.value(of: byte) else { return nil }
            unit = (unit << 4) | UInt32(digit)
        }
        position += 4
        return unit
    }
}
