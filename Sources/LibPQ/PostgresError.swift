/// Why PostgreSQL did not do what was asked.
///
/// `description` is fit for any log: it names no server, no account and no value. `debugDescription` adds the message,
/// which can quote a value ("invalid input syntax for type integer: …"); keep it from strangers.
package enum PostgresError: Error, Hashable {
    /// The connection string makes no sense. A mistake in the configuration; asking again will not help.
    case malformedConnectionString
    /// No server answered, it turned us away at the door, or the connection was lost.
    ///
    /// A statement in flight may or may not have taken effect: repeat it only if repeating is harmless.
    case unreachable(message: String)
    /// The server refused the statement; `sqlState` says why in five characters.
    ///
    /// The codes: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
    case rejected(sqlState: String, message: String)
    /// The result has no such column, or it holds something else than was asked for. A mistake in our own code.
    case unreadable(column: String)

    /// Whether a unique key already holds this value: somebody, perhaps we, did this before.
    package var isUniqueViolation: Bool {
        sqlState == "23505"
    }

    /// Whether the transaction lost a race (`serialization_failure`, `deadlock_detected`) and may be run again.
    package var isSerializationFailure: Bool {
        sqlState == "40001" || sqlState == "40P01"
    }

    /// The code of a refusal by the server.
    package var sqlState: String? {
        if case .rejected(let sqlState, _) = self { sqlState } else { nil }
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    /// What happened, fit for any log.
    package var description: String {
        switch self {
        case .malformedConnectionString: "The PostgreSQL connection string is malformed."
        case .unreachable: "PostgreSQL cannot be reached."
        case .rejected(let sqlState, _): "PostgreSQL refused the statement (SQLSTATE \(sqlState))."
        case .unreadable(let column): "Column \"\(column)\" is missing or does not hold what was asked for."
        }
    }

    /// What happened, with the message of the server or of libpq.
    package var debugDescription: String {
        switch self {
        case .unreachable(let message), .rejected(_, let message): "\(description) \(message)"
        case .malformedConnectionString, .unreadable: description
        }
    }
}

extension PostgresError {
    /// Refusals we pronounce in the server's stead, with the code it would have used.
    static let zeroInText = rejected(sqlState: "22021", message: "text holds a zero byte")
    static let tooManyParameters = rejected(sqlState: "54023", message: "a statement takes at most 65535 parameters")
    static let copyUnsupported = rejected(sqlState: "0A000", message: "COPY is not supported")
    static let alreadyInTransaction = rejected(sqlState: "25001", message: "a transaction is already open")
    static let transactionEnded = rejected(sqlState: "25P01", message: "the transaction was ended by its own body")
    static let transactionAborted = rejected(sqlState: "25P02", message: "a statement of the transaction had failed")
}
