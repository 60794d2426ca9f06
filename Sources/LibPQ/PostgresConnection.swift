import CLibPQ

/// A connection to a PostgreSQL server.
///
/// The methods block the thread until the server responds. Use a ``PostgresPool``, which runs each connection on its own thread;
/// create a connection directly only where blocking is harmless. A connection belongs to one thread, and closes with its last reference.
@safe
package final class PostgresConnection {
    private let handle: OpaquePointer
    /// The names of the prepared statements, by their text.
    private var statements: [String: String] = [:]
    private let warnings = WarningFlag()

    /// Connects to a PostgreSQL server, and waits until the server accepts the connection.
    ///
    /// - Parameter connectionString: A URI or `key=value` pairs, as in
    ///   <https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING>. Its `connect_timeout`, in seconds, limits the wait.
    /// - Throws: ``PostgresError/malformedConnectionString``, or ``PostgresError/unreachable(message:)`` if there is no connection.
    package init(_ connectionString: String) throws(PostgresError) {
        // The string is parsed first, because libpq's error message for a malformed string contains the string with its password.
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
        unsafe self.handle = handle
        // By default libpq prints notices to standard error, such as "relation already exists, skipping".
        let context = unsafe Unmanaged.passUnretained(warnings).toOpaque()
        _ = unsafe PQsetNoticeReceiver(
            handle,
            { context, notice in
                guard let context = unsafe context, let severity = unsafe PQresultErrorField(notice, Diagnostic.severity),
                    unsafe String(cString: severity) == "WARNING"
                else { return }
                unsafe Unmanaged<WarningFlag>.fromOpaque(context).takeUnretainedValue().isRaised = true
            }, context)
    }

    /// Whether the server has sent a warning.
    private final class WarningFlag {
        var isRaised = false
    }

    /// Runs a statement, and returns whether the server has sent a warning about it.
    func warns(_ body: () throws -> Void) rethrows -> Bool {
        warnings.isRaised = false
        try body()
        return warnings.isRaised
    }

    deinit {
        unsafe PQfinish(handle)
    }

    /// Runs one SQL statement with values for its parameters `$1`, `$2`, …, and returns the result.
    ///
    /// - Throws: ``PostgresError`` if the server refuses the statement, the text contains several statements, or the connection is lost.
    @discardableResult
    package func query(_ sql: String, _ parameters: [PostgresValue] = []) throws(PostgresError) -> PostgresResult {
        guard !sql.utf8.contains(0) else {
            throw .nullByteInText
        }
        let buffer = try ParameterBuffer(parameters)
        return try unsafe checked(
            buffer.withPointers { pointers in
                unsafe PQexecParams(handle, sql, buffer.count, nil, pointers, nil, nil, 0)
            })
    }

    /// Runs one SQL statement, which is prepared at its first use on this connection.
    ///
    /// The types of the parameters are those of the first use.
    ///
    /// - Throws: As ``query(_:_:)``.
    package func queryPrepared(_ sql: String, _ parameters: [PostgresValue]) throws(PostgresError) -> PostgresResult {
        let name = try statement(sql, parameters)
        let buffer = try ParameterBuffer(parameters)
        return try unsafe checked(
            buffer.withPointers { pointers in
                unsafe PQexecPrepared(handle, name, buffer.count, pointers, nil, nil, 0)
            })
    }

    /// Returns the name of a prepared statement, after preparing it if necessary.
    private func statement(_ sql: String, _ parameters: [PostgresValue]) throws(PostgresError) -> String {
        if let name = statements[sql] { return name }
        guard !sql.utf8.contains(0) else { throw .nullByteInText }
        let (name, types) = ("s\(statements.count)", parameters.map(\.type))
        _ = try unsafe checked(PQprepare(handle, name, sql, Int32(clamping: types.count), types))
        statements[sql] = name
        return name
    }

    private func checked(_ result: OpaquePointer?) throws(PostgresError) -> PostgresResult {
        guard let result = unsafe result else {
            throw unsafe failure(nil)
        }
        switch unsafe PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            return unsafe PostgresResult(owning: result)
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            unsafe PQclear(result)
            throw .copyUnsupported
        default:
            defer { unsafe PQclear(result) }
            throw unsafe failure(result)
        }
    }

    /// The state of the connection between statements.
    var phase: Phase {
        switch unsafe PQtransactionStatus(handle) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_INTRANS: .inTransaction
        case PQTRANS_INERROR: .inFailedTransaction
        default: .unusable
        }
    }

    /// Whether the server has closed the connection, as far as this is known without a request.
    var isClosedByServer: Bool {
        // Two calls are necessary: the first reads the server's final message, and the second reads the end of the stream.
        unsafe PQconsumeInput(handle) == 0 || PQconsumeInput(handle) == 0 || PQstatus(handle) != CONNECTION_OK
    }

    private static func connect(_ connectionString: String) -> OpaquePointer? {
        // The keyword after the connection string overrides it, so the encoding is always UTF-8.
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

    /// Returns the error of a failed statement, without the server's detail and hint, which can contain values of rows.
    private func failure(_ result: OpaquePointer?) -> PostgresError {
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            return .unreachable(message: unsafe Self.message(of: handle))
        }
        // An error that libpq itself detects has no SQLSTATE; XX000 means "internal error".
        return .rejected(
            sqlState: unsafe Self.field(Diagnostic.sqlState, of: result) ?? "XX000",
            message: unsafe Self.field(Diagnostic.message, of: result) ?? Self.message(of: handle)
        )
    }

    private static func field(_ code: Int32, of result: OpaquePointer?) -> String? {
        unsafe PQresultErrorField(result, code).map { unsafe String(cString: $0) }
    }

    private static func message(of handle: OpaquePointer) -> String {
        let message = unsafe String(cString: PQerrorMessage(handle))
        return String(message.reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension PostgresConnection {
    /// The state of a connection between statements, which determines the permitted statements.
    enum Phase {
        /// No transaction is open, and any statement is permitted.
        case idle
        /// A transaction is open.
        case inTransaction
        /// A transaction is open in which a statement failed; only a rollback is permitted.
        case inFailedTransaction
        /// The connection is lost, or a statement is incomplete.
        case unusable
    }

    /// The codes of error fields, which libpq's `postgres_ext.h` defines as character literals that Swift does not import.
    private enum Diagnostic {
        static let severity = Int32(UInt8(ascii: "V"))
        static let sqlState = Int32(UInt8(ascii: "C"))
        static let message = Int32(UInt8(ascii: "M"))
    }
}
