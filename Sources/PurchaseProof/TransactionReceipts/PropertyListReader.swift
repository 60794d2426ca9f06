import FoundationExtras

/// Parses property lists in the old ASCII format, in the form that transaction receipts have: one dictionary of strings.
///
/// ```
/// { "name" = "text"; name = text; }
/// ```
///
/// White space and the order of members have no meaning. A string is quoted, or consists of letters, digits and `_ $ / : . -`. A name must
/// not occur twice, because two programs could then read different values.
struct PropertyListReader {
    /// The maximum number of members in a property list.
    ///
    /// The property lists of Apple's transaction receipts have up to 22 members.
    static let maximumCount = 256

    private let bytes: [UInt8]
    private var position = 0

    /// Parses a property list and returns its members in their order.
    ///
    /// - Throws: When the property list is malformed, has two members of the same name, or has too many members.
    static func read(_ bytes: [UInt8]) throws(ParseError) -> [TransactionReceiptEntry] {
        var reader = PropertyListReader(bytes: bytes)
        return try reader.list()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func list() throws(ParseError) -> [TransactionReceiptEntry] {
        var entries: [TransactionReceiptEntry] = []
        var names: Set<String> = []
        try expect("{")
        while !skip("}") {
            guard entries.count < Self.maximumCount else { throw ParseError(.count(limit: Self.maximumCount), at: position) }
            let start = position
            let name = try text()
            try expect("=")
            let value = try text()
            guard names.insert(name).inserted else { throw ParseError(.duplicate, at: start) }
            entries.append(TransactionReceiptEntry(name: name, value: value))
            guard skip(";") else {
                try expect("}")
                break
            }
        }
        skipWhitespace()
        guard position == bytes.count else { throw ParseError(.excess, at: position) }
        return entries
    }

    private mutating func text() throws(ParseError) -> String {
        skipWhitespace()
        let start = position
        var utf8: [UInt8] = []
        if skip("\"") {
            while let byte = consume(), byte != UInt8(ascii: "\"") {
                if byte == UInt8(ascii: "\\") { utf8 += try escaped() } else { utf8.append(byte) }
            }
            guard position > start + 1, bytes[position - 1] == UInt8(ascii: "\"") else { throw ParseError(.truncated, at: start) }
        } else {
            while position < bytes.count, Self.isPlain(bytes[position]) {
                utf8.append(bytes[position])
                position += 1
            }
            guard !utf8.isEmpty else { throw ParseError(.text, at: start) }
        }
        guard let text = String(validating: utf8, as: UTF8.self) else { throw ParseError(.text, at: start) }
        return text
    }

    /// Reads the rest of an escape sequence after its backslash, and returns the UTF-8 of the character that it represents.
    private mutating func escaped() throws(ParseError) -> [UInt8] {
        let start = position
        switch consume() {
        case UInt8(ascii: "\""): return [UInt8(ascii: "\"")]
        case UInt8(ascii: "\\"): return [UInt8(ascii: "\\")]
        case UInt8(ascii: "'"): return [UInt8(ascii: "'")]
        case UInt8(ascii: "n"): return [UInt8(ascii: "\n")]
        case UInt8(ascii: "r"): return [UInt8(ascii: "\r")]
        case UInt8(ascii: "t"): return [UInt8(ascii: "\t")]
        case UInt8(ascii: "U"), UInt8(ascii: "u"):
            var number: UInt32 = 0
            for _ in 0..<4 {
                guard let digit = consume().flatMap({ Hexadecimal.value(of: $0) }) else {
                    throw ParseError(.text, at: start)
                }
                number = number << 4 | UInt32(digit)
            }
            guard let scalar = Unicode.Scalar(number) else { throw ParseError(.text, at: start) }
            return Array(String(scalar).utf8)
        default: throw ParseError(.text, at: start)
        }
    }

    private mutating func consume() -> UInt8? {
        guard position < bytes.count else { return nil }
        position += 1
        return bytes[position - 1]
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipWhitespace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(ParseError) {
        guard skip(character) else { throw ParseError(position < bytes.count ? .value : .truncated, at: position) }
    }

    private mutating func skipWhitespace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"): true
        default: false
        }
    }
}
