import CLibPQ

/// One conversation with a PostgreSQL server.
///
/// Its methods block the thread until the server answers. Take connections from a ``PostgresPool``, which lends them on
/// threads of their own; open one by hand only where blocking is harmless. It cannot be copied and is closed when it
/// goes out of scope.
@safe
package struct PostgresConnection: ~Copyable {
    private let handle: OpaquePointer

    /// Connects, and waits until the server has accepted.
    ///
    /// - Parameter connectionString: A URI or `key=value` pairs, as in
    ///   <https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING>. Put `connect_timeout` there to
    ///   bound the wait.
    package init(_ connectionString: String) throws(PostgresError) {
        // Parsed first, because libpq's message quotes a string that it does not understand, password and all.
        guard !connectionString.utf8.contains(0), let options = unsafe PQconninfoParse(connectionString, nil) else {
            throw .malformedConnectionString
        }
        unsafe PQconninfoFree(options)

        guard let handle = unsafe Self.connect(connectionString) else {
            throw .unreachable(message: "out of memory")
        }
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            let message = unsafe Self.message(of: handle)
            unsafe PQfinish(handle)
            throw .unreachable(message: message)
        }
        // By default libpq prints notices ("relation already exists, skipping") on standard error.
        _ = unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
        unsafe self.handle = handle
    }

    deinit {
        unsafe PQfinish(handle)
    }

    /// Runs one statement with its parameters `$1`, `$2`, … and returns what it answered.
    ///
    /// Exactly one: a second statement behind a semicolon is refused by the server.
    @discardableResult
    package func query(_ sql: String, _ parameters: [PostgresValue] = []) throws(PostgresError) -> PostgresResult {
        guard !sql.utf8.contains(0) else {
            throw .zeroInText
        }
        let buffer = try ParameterBuffer(parameters)
        let answer = unsafe buffer.withPointers { pointers in
            unsafe PQexecParams(handle, sql, buffer.count, nil, pointers, nil, nil, 0)
        }
        guard let answer = unsafe answer else {
            throw unsafe failure(nil)
        }
        switch unsafe PQresultStatus(answer) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            return unsafe PostgresResult(owning: answer)
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            unsafe PQclear(answer)
            throw .copyUnsupported
        default:
            defer { unsafe PQclear(answer) }
            throw unsafe failure(answer)
        }
    }

    /// Where the connection stands between statements.
    var phase: Phase {
        switch unsafe PQtransactionStatus(handle) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_INTRANS: .inTransaction
        case PQTRANS_INERROR: .inFailedTransaction
        default: .unusable
        }
    }

    /// Whether the server hung up while nobody was looking; asking costs no round trip.
    var isHungUp: Bool {
        // The first read meets the server's words of farewell, the second the end of the stream.
        unsafe PQconsumeInput(handle) == 0 || PQconsumeInput(handle) == 0 || PQstatus(handle) != CONNECTION_OK
    }

    private static func connect(_ connectionString: String) -> OpaquePointer? {
        // Later keywords override those in the string: whatever it says, we speak UTF-8.
        unsafe "dbname".withCString { dbname in
            unsafe "client_encoding".withCString { encoding in
                unsafe connectionString.withCString { string in
                    unsafe "UTF8".withCString { utf8 in
                        unsafe PQconnectdbParams([dbname, encoding, nil], [string, utf8, nil], 1)
                    }
                }
            }
        }
    }

    /// The reason for a failed statement, without detail and hint, which quote rows.
    private func failure(_ answer: OpaquePointer?) -> PostgresError {
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            return .unreachable(message: unsafe Self.message(of: handle))
        }
        // libpq's own refusals carry no code; XX000 is "internal error".
        return .rejected(
            sqlState: unsafe Self.field(Diagnostic.sqlState, of: answer) ?? "XX000",
            message: unsafe Self.field(Diagnostic.message, of: answer) ?? Self.message(of: handle)
        )
    }

    private static func field(_ code: Int32, of answer: OpaquePointer?) -> String? {
        unsafe PQresultErrorField(answer, code).map { unsafe String(cString: $0) }
    }

    private static func message(of handle: OpaquePointer) -> String {
        let message = unsafe String(cString: PQerrorMessage(handle))
        return String(message.reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension PostgresConnection {
    /// What a connection can be asked to do next.
    enum Phase {
        /// Nothing is open: fit for anybody.
        case idle
        /// A transaction is open.
        case inTransaction
        /// A transaction is open, a statement of it has failed, and only a rollback can follow.
        case inFailedTransaction
        /// Lost, or stuck in the middle of a statement.
        case unusable
    }

    /// Field codes of `postgres_ext.h`, where they are character literals, which Swift does not import.
    private enum Diagnostic {
        static let sqlState = Int32(UInt8(ascii: "C"))
        static let message = Int32(UInt8(ascii: "M"))
    }
}
