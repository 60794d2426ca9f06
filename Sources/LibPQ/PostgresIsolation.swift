/// The isolation level of a PostgreSQL transaction.
///
/// <https://www.postgresql.org/docs/current/transaction-iso.html>
package enum PostgresIsolation: String, Sendable, CaseIterable {
    /// Each statement sees the data that was committed before the statement began; PostgreSQL's default.
    case readCommitted = "READ COMMITTED"
    /// All statements see the data that was committed before the first statement; serialization failures are possible.
    case repeatableRead = "REPEATABLE READ"
    /// Concurrent transactions have the same effect as if they ran one after another; serialization failures are possible.
    case serializable = "SERIALIZABLE"
}
