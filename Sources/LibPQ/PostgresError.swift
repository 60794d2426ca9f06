/// An error of PostgreSQL or of libpq.
///
/// `description` is safe for any log, because it contains no server, account or value. `debugDescription` adds the message of the server,
/// which can contain a value (`invalid input syntax for type integer: …`); restrict access to logs with it.
package enum PostgresError: Error, Hashable {
    /// The connection string is malformed; it must be corrected.
    case malformedConnectionString
    /// No server responded, the server refused the connection, or the connection was lost.
    ///
    /// A statement that was in progress may have taken effect. Repeat the statement only if repeating is harmless.
    case unreachable(message: String)
    /// The transaction is committed on the primary, and the wait for its replication was canceled, so that a failover can lose it.
    case unreplicated
    /// The server refused the statement, with a SQLSTATE of five characters and a message.
    ///
    /// PostgreSQL documents the codes: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
    case rejected(sqlState: String, message: String)
    /// A result has no column of this name, or the column's value has another type than requested; this is a programming error.
    case unreadable(column: String)

    /// Whether the statement was refused because a row with the same unique key exists (`unique_violation`).
    package var isUniqueViolation: Bool {
        sqlState == "23505"
    }

    /// Whether a table that the statement creates exists (`duplicate_table`).
    package var isDuplicateTable: Bool {
        sqlState == "42P07"
    }

    /// Whether a table of the statement does not exist (`undefined_table`).
    package var isUndefinedTable: Bool {
        sqlState == "42P01"
    }

    /// Whether the transaction conflicted with another transaction (`serialization_failure`, `deadlock_detected`) and must be repeated.
    package var isSerializationFailure: Bool {
        sqlState == "40001" || sqlState == "40P01"
    }

    /// Whether the server can't be used now, because it can't be reached, is stopping or starting, or is a standby.
    package var isUnavailable: Bool {
        switch self {
        case .unreachable: true
        case .rejected(let sqlState, _): ["57P01", "57P02", "57P03", "25006"].contains(sqlState) || sqlState.hasPrefix("08")
        case .malformedConnectionString, .unreplicated, .unreadable: false
        }
    }

    /// Whether other statements would fail now for the same reason: the server is unavailable, its disk or memory is full, or locks are held
    /// too long.
    package var concernsOtherStatements: Bool {
        guard !isUnavailable, self != .unreplicated else { return true }
        // query_canceled is the statement_timeout; lock_not_available; class 53 is insufficient resources.
        return ["57014", "55P03"].contains(sqlState) || sqlState?.hasPrefix("53") == true
    }

    /// The SQLSTATE of a statement that the server refused; nil for other errors.
    package var sqlState: String? {
        if case .rejected(let sqlState, _) = self { sqlState } else { nil }
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    /// A description of the error without sensitive values.
    package var description: String {
        switch self {
        case .malformedConnectionString: "The PostgreSQL connection string is malformed. Use a URI, or key=value pairs."
        case .unreachable: "PostgreSQL cannot be reached. Check the server and the network."
        case .unreplicated: "PostgreSQL committed on the primary only. Check the synchronous standbys, and repeat the request."
        case .rejected(let sqlState, _): "PostgreSQL refused the statement (SQLSTATE \(sqlState))."
        case .unreadable(let column): "Column \"\(column)\" is missing or has another type."
        }
    }

    /// The description, followed by the message of the server or of libpq.
    package var debugDescription: String {
        switch self {
        case .unreachable(let message), .rejected(_, let message): "\(description) \(message)"
        case .malformedConnectionString, .unreplicated, .unreadable: description
        }
    }
}

extension PostgresError {
    // These errors are detected by the client and have the SQLSTATE that the server would state.

    /// A statement or a parameter contains a null byte.
    package static let nullByteInText = rejected(sqlState: "22021", message: "a text contains a null byte")
    static let tooManyParameters = rejected(sqlState: "54023", message: "a statement has more than 65535 parameters")
    static let parameterTooLong = rejected(sqlState: "54000", message: "a value has a gigabyte or more")
    static let copyUnsupported = rejected(sqlState: "0A000", message: "COPY is not supported")
    static let alreadyInTransaction = rejected(sqlState: "25001", message: "a transaction is already open")
    static let transactionEnded = rejected(sqlState: "25P01", message: "the body of the transaction ended it")
    /// A statement was not executed, because one before it in the pipeline failed.
    static let statementSkipped = rejected(sqlState: "25P02", message: "a statement before this one failed")
    static let transactionAborted = rejected(sqlState: "25P02", message: "a statement of the transaction failed")
}
