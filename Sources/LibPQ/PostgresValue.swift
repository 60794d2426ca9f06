/// A parameter of a statement.
///
/// Parameters travel beside the statement, never inside it, so no value can be read as SQL. They carry no type: the
/// server infers one from where `$1` stands, as it does for a quoted literal. Write `$1::bigint` where it cannot.
package enum PostgresValue: Sendable, Hashable {
    /// SQL's `NULL`.
    case null
    /// Text, and anything the server reads from text: `timestamptz`, `jsonb`, `numeric`, `uuid`.
    case text(String)
    /// A whole number.
    case int64(Int64)
    /// A truth value.
    case bool(Bool)
    /// Raw bytes, a `bytea`.
    case bytes([UInt8])

    /// Wraps text, or `NULL` if there is none.
    package init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    /// Wraps a whole number, or `NULL` if there is none.
    package init(_ number: Int64?) {
        self = number.map { .int64($0) } ?? .null
    }

    /// Wraps a truth value, or `NULL` if there is none.
    package init(_ flag: Bool?) {
        self = flag.map { .bool($0) } ?? .null
    }

    /// Wraps bytes, or `NULL` if there are none.
    package init(_ bytes: [UInt8]?) {
        self = bytes.map { .bytes($0) } ?? .null
    }

    /// The value in PostgreSQL's text format, without the closing zero; `nil` is `NULL`.
    var textFormat: [UInt8]? {
        switch self {
        case .null: nil
        case .text(let text): Array(text.utf8)
        case .int64(let number): Array(String(number).utf8)
        case .bool(let flag): Array((flag ? "t" : "f").utf8)
        case .bytes(let bytes): Self.hexFormat(bytes)
        }
    }

    /// The hex format of `bytea`: <https://www.postgresql.org/docs/current/datatype-binary.html>.
    private static func hexFormat(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        var text = Array("\\x".utf8)
        text.reserveCapacity(2 + 2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0x0F)])
        }
        return text
    }
}
