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
        guard phase != .inTransaction, phase != .inFailedTransaction else {
            throw PostgresError.alreadyInTransaction
        }
        try query("BEGIN ISOLATION LEVEL \(isolation.rawValue)\(isReadOnly ? " READ ONLY" : "")")
        let value: Value
        do {
            value = try body(self)
            try requireOpenTransaction()
        } catch {
            // If the rollback fails, the connection is lost, and the server rolls back the transaction.
            _ = try? query("ROLLBACK")
            throw error
        }
        // A canceled wait for a synchronous standby is a warning: the primary alone has the transaction, and can lose it.
        guard try !warns({ try query("COMMIT") }) else { throw PostgresError.unreplicated }
        return value
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
