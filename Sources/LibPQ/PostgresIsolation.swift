/// The isolation level of a transaction.
///
/// <https://www.postgresql.org/docs/current/transaction-iso.html>
package enum PostgresIsolation: String, Sendable, CaseIterable {
    /// Each statement sees the data that was committed before the statement began; PostgreSQL's default.
    case readCommitted = "READ COMMITTED"
    /// All statements see the data that was committed before the first statement; serialization failures are possible.
    case repeatableRead = "REPEATABLE READ"
    /// Transactions have the same effect as in a serial order; serialization failures are possible.
    case serializable = "SERIALIZABLE"
}
