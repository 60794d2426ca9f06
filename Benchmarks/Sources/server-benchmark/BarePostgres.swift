import CPostgres
import Dispatch
import Foundation
import PurchaseModel
import Synchronization

/// Connections to a PostgreSQL database, each with a queue and one prepared `SELECT`.
final class BarePostgres: Sendable {
    /// The number of connections, as of the purchase server.
    static let connections = 16

    /// The message of PostgreSQL.
    struct Failure: Error {
        let message: String
    }

    private let pool: [BareConnection]
    private let next = Atomic<Int>(0)

    /// Connects to a database.
    init(_ url: String) throws {
        pool = try (0..<Self.connections).map { _ in
            try BareConnection(url, statement: "SELECT entitlement FROM customer_purchase WHERE app = $1 AND customer = $2")
        }
    }

    /// Returns the entitlement of a customer's purchase.
    func entitlement(of customer: String) async throws -> String? {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return try await pool[Int(UInt(bitPattern: number) % UInt(pool.count))].query([BenchmarkShop.bundleID.rawValue, customer])
    }

    /// Executes a script of statements.
    static func execute(_ script: String, at url: String) throws {
        let connection = try BareConnection(url, statement: nil)
        try connection.execute(script)
    }

    /// Returns the first column of the first row of a query.
    static func text(_ sql: String, at url: String) throws -> String? {
        try BareConnection(url, statement: nil).execute(sql)
    }
}

/// A connection that executes one statement at a time on its queue.
private final class BareConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    private let queue = DispatchQueue(label: "bare-connection")

    init(_ url: String, statement: String?) throws {
        guard let handle = PQconnectdb(url) else { throw BarePostgres.Failure(message: "no memory") }
        self.handle = handle
        guard PQstatus(handle) == CONNECTION_OK else { throw BarePostgres.Failure(message: String(cString: PQerrorMessage(handle))) }
        if let statement {
            let result = PQprepare(handle, "read", statement, 0, nil)
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure }
        }
    }

    deinit { PQfinish(handle) }

    private var failure: BarePostgres.Failure { BarePostgres.Failure(message: String(cString: PQerrorMessage(handle))) }

    func query(_ parameters: [String]) async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Result { try read(parameters) })
            }
        }
    }

    private func read(_ parameters: [String]) throws -> String? {
        let texts = parameters.map { strdup($0) }
        defer { for text in texts { free(text) } }
        let result = PQexecPrepared(handle, "read", Int32(texts.count), texts.map { UnsafePointer($0) }, nil, nil, 0)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK else { throw failure }
        return PQntuples(result) > 0 ? PQgetvalue(result, 0, 0).map { String(cString: $0) } : nil
    }

    @discardableResult
    func execute(_ script: String) throws -> String? {
        let result = PQexec(handle, script)
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK: return PQntuples(result) > 0 ? PQgetvalue(result, 0, 0).map { String(cString: $0) } : nil
        case PGRES_COMMAND_OK: return nil
        default: throw failure
        }
    }
}
