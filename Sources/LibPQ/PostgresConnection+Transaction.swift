extension PostgresConnection {
    /// Runs `body` in a transaction, and commits it if `body` returns, or rolls it back if `body` throws.
    ///
    /// Transactions cannot be nested. If the connection is lost during the commit, the outcome of the transaction is unknown.
    ///
    /// - Throws: The error of `body`, or a ``PostgresError``; its SQLSTATE is 25P02 if `body` ignored the error of a statement.
    package func transaction<Value>(
        isolation: PostgresIsolation = .readCommitted, isReadOnly: Bool = false,
        _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        // PostgreSQL only warns about a nested BEGIN; the inner COMMIT would then commit the outer transaction.
        guard !isPipelining, phase != .inTransaction, phase != .inFailedTransaction else {
            throw PostgresError.alreadyInTransaction
        }
        let value: Value
        do {
            // The first statement of `body` sends it.
            try sendPrepared("BEGIN ISOLATION LEVEL \(isolation.rawValue)\(isReadOnly ? " READ ONLY" : "")")
            value = try body(self)
            if !isPipelining { try requireOpenTransaction() }
            try commit()
        } catch let error as PostgresError where error == .unreplicated {
            throw error
        } catch {
            // If the rollback fails, the connection is lost, and the server rolls back the transaction.
            discardPipeline()
            _ = try? query("ROLLBACK")
            throw error
        }
        return value
    }

    private func commit() throws {
        var outcome: PostgresResult?
        // A canceled wait for a synchronous standby is a warning: the primary alone has the transaction, and can lose it.
        let isWarned = try warns { outcome = try queryPrepared("COMMIT") }
        // A failed transaction is rolled back without an error.
        guard outcome?.command == "COMMIT" else { throw PostgresError.transactionAborted }
        guard !isWarned else { throw PostgresError.unreplicated }
    }

    /// Throws unless the transaction can commit; at COMMIT PostgreSQL would roll back a failed transaction and report success.
    private func requireOpenTransaction() throws(PostgresError) {
        switch phase {
        case .inTransaction: return
        case .inFailedTransaction: throw .transactionAborted
        case .idle: throw .transactionEnded
        case .unusable: throw .unreachable(message: "the connection was lost")
        }
    }
}
