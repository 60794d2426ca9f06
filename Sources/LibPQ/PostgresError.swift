/// An error of PostgreSQL or of libpq.
///
/// `description` is safe for any log, because it contains no server, account or value. `debugDescription` adds the message, which can
/// quote a value (`invalid input syntax for type integer: …`); restrict access to it.
package enum PostgresError: Error, Hashable {
    /// The connection string is malformed; correct the configuration, because a retry has the same result.
    case malformedConnectionString
    /// No server responded, the server refused the connection, or the connection was lost.
    ///
    /// A statement in progress may have taken effect. Repeat it only if repeating is harmless.
    case unreachable(message: String)
    /// The server refused the statement, with a five-character SQLSTATE.
    ///
    /// The codes: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
    case rejected(sqlState: String, message: String)
    /// The result has no such column, or the column has another type; a programming error.
    case unreadable(column: String)

    /// Whether a row with the same unique key already exists.
    package var isUniqueViolation: Bool {
        sqlState == "23505"
    }

    /// Whether the transaction conflicted with another one (`serialization_failure`, `deadlock_detected`); run it again.
    package var isSerializationFailure: Bool {
        sqlState == "40001" || sqlState == "40P01"
    }

    /// The SQLSTATE of a statement that the server refused; nil for other errors.
    package var sqlState: String? {
        if case .rejected(let sqlState, _) = self { sqlState } else { nil }
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The description without sensitive values, which is safe for any log.
    package var description: String {
        switch self {
        case .malformedConnectionString: "The PostgreSQL connection string is malformed."
        case .unreachable: "PostgreSQL cannot be reached."
        case .rejected(let sqlState, _): "PostgreSQL refused the statement (SQLSTATE \(sqlState))."
        case .unreadable(let column): "Column \"\(column)\" is missing or has another type."
        }
    }

    /// The description with the message of the server or of libpq.
    package var debugDescription: String {
        switch self {
        case .unreachable(let message), .rejected(_, let message): "\(description) \(message)"
        case .malformedConnectionString, .unreadable: description
        }
    }
}

extension PostgresError {
    /// Errors that the client detects, with the SQLSTATE that the server would use.
    static let nullByteInText = rejected(sqlState: "22021", message: "a text contains a null byte")
    static let tooManyParameters = rejected(sqlState: "54023", message: "a statement has more than 65535 parameters")
    static let copyUnsupported = rejected(sqlState: "0A000", message: "COPY is not supported")
    static let alreadyInTransaction = rejected(sqlState: "25001", message: "a transaction is already open")
    static let transactionEnded = rejected(sqlState: "25P01", message: "the body of the transaction ended it")
    static let transactionAborted = rejected(sqlState: "25P02", message: "a statement of the transaction failed")
}
