import PurchaseModel

/// The percent encoding of Signature Version 4: every byte except unreserved characters, with upper-case digits.
enum S3Encoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes a path, of which slashes remain.
    static func path(_ text: String) -> String {
        encode(text, keepingSlashes: true)
    }

    /// Encodes the name or the value of a query parameter.
    static func parameter(_ text: String) -> String {
        encode(text, keepingSlashes: false)
    }

    private static func encode(_ text: String, keepingSlashes: Bool) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || keepingSlashes && byte == UInt8(ascii: "/") {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

/// The query of a request, whose text is the canonical query of its signature.
struct S3Query: Hashable, Sendable {
    private var items: [(name: String, value: String)] = []

    /// Creates a query with the given parameters.
    init(_ items: [(String, String)] = []) {
        for (name, value) in items { add(name, value) }
    }

    /// Adds a parameter; a nil value adds none.
    mutating func add(_ name: String, _ value: String?) {
        if let value { items.append((S3Encoding.parameter(name), S3Encoding.parameter(value))) }
    }

    /// The encoded parameters, in the order of their encoded names and values.
    var text: String {
        items.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    static func == (lhs: S3Query, rhs: S3Query) -> Bool { lhs.text == rhs.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
