/// The value of a parameter of an SQL statement.
///
/// Values are sent separately from the statement, so a value is never parsed as SQL. The server infers the type of each parameter from
/// the statement, as for a quoted literal. If the statement does not determine the type, use a cast such as `$1::bigint`.
package enum PostgresValue: Sendable, Hashable {
    /// SQL's `NULL`.
    case null
    /// A text, or any value that the server parses from text, such as `timestamptz`, `jsonb`, `numeric` or `uuid`.
    case text(String)
    /// An integer.
    case int64(Int64)
    /// A Boolean.
    case bool(Bool)
    /// The bytes of a `bytea`.
    case bytes([UInt8])

    /// Creates a text, or `NULL` for nil.
    package init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    /// Creates an integer, or `NULL` for nil.
    package init(_ number: Int64?) {
        self = number.map { .int64($0) } ?? .null
    }

    /// Creates a Boolean, or `NULL` for nil.
    package init(_ flag: Bool?) {
        self = flag.map { .bool($0) } ?? .null
    }

    /// Creates bytes, or `NULL` for nil.
    package init(_ bytes: [UInt8]?) {
        self = bytes.map { .bytes($0) } ?? .null
    }

    /// The object identifier of the value's type, which is the same in all versions of PostgreSQL; 0 for `NULL`, whose type the server infers.
    var type: UInt32 {
        switch self {
        case .null: 0
        case .text: 25
        case .int64: 20
        case .bool: 16
        case .bytes: 17
        }
    }
}
