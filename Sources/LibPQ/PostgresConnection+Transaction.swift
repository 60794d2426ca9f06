extension PostgresConnection {
    /// Runs `body` in a transaction, which commits when `body` returns, and rolls back when `body` throws.
    ///
    /// A transaction in which a statement failed throws SQLSTATE 25P02, even when `body` ignored the statement's error. Transactions
    /// cannot be nested. When the connection is lost during the commit, the outcome of the transaction is unknown.
    package func transaction<Value>(
        isolation: PostgresIsolation = .readCommitted,
        _ body: (borrowing PostgresConnection) throws -> Value
    ) throws -> Value {
        // PostgreSQL only warns about a nested BEGIN; the inner COMMIT would then commit the outer transaction.
        guard phase != .inTransaction, phase != .inFailedTransaction else {
            throw PostgresError.alreadyInTransaction
        }
        try query("BEGIN ISOLATION LEVEL \(isolation.rawValue)")
        let value: Value
        do {
            value = try body(self)
            try requireOpenTransaction()
        } catch {
            // A rollback fails only when the connection is lost, and then the server rolls back.
            _ = try? query("ROLLBACK")
            throw error
        }
        try query("COMMIT")
        return value
    }

    /// Verifies that the transaction can commit, because PostgreSQL rolls back a failed transaction at COMMIT and reports success.
    private func requireOpenTransaction() throws(PostgresError) {
        switch phase {
        case .inTransaction: return
        case .inFailedTransaction: throw .transactionAborted
        case .idle: throw .transactionEnded
        case .unusable: throw .unreachable(message: "the connection was lost")
        }
    }
}
