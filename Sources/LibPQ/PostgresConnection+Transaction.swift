extension PostgresConnection {
    /// Runs `body` in a transaction: all of it is kept if it returns, none of it if it throws.
    ///
    /// A body that swallowed the error of a statement cannot be kept either; it throws SQLSTATE 25P02. Transactions do
    /// not nest. If the connection is lost during the commit, whether it took effect is unknown.
    package func transaction<Value>(
        isolation: PostgresIsolation = .readCommitted,
        _ body: (borrowing PostgresConnection) throws -> Value
    ) throws -> Value {
        // PostgreSQL merely warns about a BEGIN in a transaction, and the inner COMMIT would then keep the outer one.
        guard phase != .inTransaction, phase != .inFailedTransaction else {
            throw PostgresError.alreadyInTransaction
        }
        try query("BEGIN ISOLATION LEVEL \(isolation.rawValue)")
        let value: Value
        do {
            value = try body(self)
            try requireOpenTransaction()
        } catch {
            // A rollback can only fail with the connection, and then the server rolls back by itself.
            _ = try? query("ROLLBACK")
            throw error
        }
        try query("COMMIT")
        return value
    }

    /// PostgreSQL answers the COMMIT of a failed transaction with a rollback and calls it success; so we look first.
    private func requireOpenTransaction() throws(PostgresError) {
        switch phase {
        case .inTransaction: return
        case .inFailedTransaction: throw .transactionAborted
        case .idle: throw .transactionEnded
        case .unusable: throw .unreachable(message: "the connection was lost")
        }
    }
}
