import CLibPQ
import Glibc

/// A connection to a PostgreSQL server.
///
/// The methods block the thread until the server responds. Use a ``PostgresPool``, which runs each connection on its own thread;
/// create a connection directly only where blocking is harmless. A connection belongs to one thread, and closes with its last reference.
@safe
package final class PostgresConnection {
    private let handle: OpaquePointer
    /// The names of the prepared statements, by their text.
    private var statements: [String: String] = [:]
    private var lastStatement = 0
    /// The statements that were sent in pipeline mode, and whose results were not read.
    private var pipeline: [PipelinedStatement] = []
    private let warnings = WarningFlag()

    /// The number of statements after which the results of a pipeline are read.
    ///
    /// A server that can't send its results would stop reading statements.
    private static let pipelineLimit = 100

    /// The settings that a connection string can override.
    ///
    /// Without them a connection to a host that has disappeared, such as after a failover, would block for many minutes.
    private static let defaults = [
        ("connect_timeout", "5"), ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "15000"), ("fallback_application_name", "tillroll"),
    ]

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
        try finishPipeline()
        let buffer = try ParameterBuffer(parameters)
        return try unsafe checked(
            buffer.withPointers { pointers, lengths, formats in
                unsafe PQexecParams(handle, sql, buffer.count, nil, pointers, lengths, formats, 0)
            })
    }

    /// Runs one SQL statement, which is prepared at its first use on this connection.
    ///
    /// The types of the parameters are those of the first use.
    ///
    /// - Throws: As ``query(_:_:)``, even for a statement that was sent before with ``sendPrepared(_:_:)``.
    @discardableResult
    package func queryPrepared(_ sql: String, _ parameters: [PostgresValue] = []) throws(PostgresError) -> PostgresResult {
        try send(sql, parameters)
        guard let result = try finishPipeline().last else { throw .unreachable(message: "no result") }
        return result
    }

    /// Runs SQL statements with one request to the server, and returns their results in the same order.
    ///
    /// Each statement is prepared at its first use on this connection. Outside of a transaction, the statements have one of their own. The
    /// statements and their parameters must be small: the server can stop reading them until its results are read.
    ///
    /// - Throws: As ``query(_:_:)``, the first error.
    package func queryPrepared(
        together statements: [(sql: String, parameters: [PostgresValue])]
    ) throws(PostgresError) -> [PostgresResult] {
        try finishPipeline()
        var results: [PostgresResult] = []
        for (index, statement) in statements.enumerated() {
            do {
                try send(statement.sql, statement.parameters)
            } catch {
                // Otherwise a later call would receive the results of the statements before.
                discardPipeline()
                throw error
            }
            guard pipeline.count >= Self.pipelineLimit || index == statements.count - 1 else { continue }
            results += try finishPipeline()
        }
        return results
    }

    /// Sends one SQL statement, which is prepared at its first use on this connection, without waiting for its result.
    ///
    /// The next statement that waits throws the error of this one, and has no effect then. The statement must be in a transaction.
    ///
    /// - Throws: As ``query(_:_:)``.
    package func sendPrepared(_ sql: String, _ parameters: [PostgresValue] = []) throws(PostgresError) {
        try send(sql, parameters)
        if pipeline.count >= Self.pipelineLimit { try finishPipeline() }
    }

    /// Whether the results of statements were not read yet.
    var isPipelining: Bool { !pipeline.isEmpty }

    private func send(_ sql: String, _ parameters: [PostgresValue]) throws(PostgresError) {
        let buffer = try ParameterBuffer(parameters)
        guard !sql.utf8.contains(0) else { throw .nullByteInText }
        if pipeline.isEmpty, unsafe PQenterPipelineMode(handle) == 0 { throw unsafe failure(nil) }
        let name: String
        if let known = statements[sql] {
            name = known
        } else {
            lastStatement += 1
            name = "s\(lastStatement)"
            let types = parameters.map(\.type)
            guard unsafe PQsendPrepare(handle, name, sql, Int32(clamping: types.count), types) == 1 else { throw unsafe failure(nil) }
            statements[sql] = name
            pipeline.append(.preparation(sql))
        }
        let isSent = unsafe buffer.withPointers { pointers, lengths, formats in
            unsafe PQsendQueryPrepared(handle, name, buffer.count, pointers, lengths, formats, 0)
        }
        guard isSent == 1 else { throw unsafe failure(nil) }
        pipeline.append(.execution)
    }

    /// Reads and returns the results of all statements that were sent.
    ///
    /// - Throws: The first error; the server has skipped the statements after it.
    @discardableResult
    private func finishPipeline() throws(PostgresError) -> [PostgresResult] {
        guard !pipeline.isEmpty else { return [] }
        defer { pipeline = [] }
        guard unsafe PQpipelineSync(handle) == 1 else { throw unsafe failure(nil) }
        var results: [PostgresResult] = []
        var failure: PostgresError?
        for statement in pipeline {
            do throws(PostgresError) {
                let result = try unsafe checked(PQgetResult(handle))
                if case .execution = statement { results.append(result) }
            } catch {
                if case .unreachable = error { throw error }
                failure = failure ?? error
                if case .preparation(let sql) = statement { statements[sql] = nil }
            }
            // The end of the results of this statement.
            unsafe PQclear(PQgetResult(handle))
        }
        // The end of the pipeline.
        unsafe PQclear(PQgetResult(handle))
        guard unsafe PQexitPipelineMode(handle) == 1 else { throw unsafe self.failure(nil) }
        if let failure { throw failure }
        return results
    }

    /// Reads the results of all statements that were sent, and ignores them, so that the next statement is not refused for their errors.
    func discardPipeline() {
        _ = try? finishPipeline()
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
        case PGRES_PIPELINE_ABORTED:
            unsafe PQclear(result)
            throw .statementSkipped
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
        // The connection string overrides the keywords before it, and the keyword after it overrides the string, so that the encoding is
        // always UTF-8.
        let options = Self.defaults + [("dbname", connectionString), ("client_encoding", "UTF8")]
        let keywords = unsafe options.map { unsafe strdup($0.0) }
        let values = unsafe options.map { unsafe strdup($0.1) }
        defer { _ = unsafe (keywords + values).map { unsafe free($0) } }
        return unsafe PQconnectdbParams(
            keywords.map { unsafe UnsafePointer($0) } + [nil], values.map { unsafe UnsafePointer($0) } + [nil], 1)
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

    /// A statement of a pipeline, whose result was not read.
    private enum PipelinedStatement {
        /// The preparation of a statement with this text.
        case preparation(String)
        case execution
    }

    /// The codes of error fields, which libpq's `postgres_ext.h` defines as character literals that Swift does not import.
    private enum Diagnostic {
        static let severity = Int32(UInt8(ascii: "V"))
        static let sqlState = Int32(UInt8(ascii: "C"))
        static let message = Int32(UInt8(ascii: "M"))
    }
}
