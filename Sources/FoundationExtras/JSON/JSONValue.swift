/// A JSON value that preserves the order of members and the digits of numbers.
///
/// This type is used where a JSON text must stay exact: to show signed data as it was signed, and to rewrite a file without losing unknown
/// members. A `Double` would change identifiers of 18 digits and fractions of milliseconds.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number in JSON notation.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A member of a JSON object.
    package struct Member: Hashable, Sendable {
        /// The member's name.
        package var name: String
        /// The member's value.
        package var value: JSONValue

        /// Creates a member.
        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Returns an integer as a JSON number.
    package static func number(_ number: some BinaryInteger) -> JSONValue {
        .number(String(number))
    }

    /// The value of the first member with this name; nil for a value that is not an object, or has no such member.
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text of a JSON string; nil for any other JSON value.
    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value as one line of JSON in UTF-8.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// Appends the value to `bytes`, as one line of JSON in UTF-8.
    package func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let digits): bytes.append(contentsOf: digits.utf8)
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20, 0x7F:
                bytes.append(contentsOf: "\\u00\(Hexadecimal.encode(CollectionOfOne(byte)))".utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
    /// Creates a JSON string from a literal.
    package init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Creates a JSON Boolean from a literal.
    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Creates a JSON array from a literal.
    package init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }
}
