/// How much a transaction sees of the transactions beside it.
///
/// <https://www.postgresql.org/docs/current/transaction-iso.html>
package enum PostgresIsolation: String, Sendable, CaseIterable {
    /// Each statement sees what was committed before it began. PostgreSQL's own default.
    case readCommitted = "READ COMMITTED"
    /// All statements see what was committed before the first one. May fail with a serialization failure.
    case repeatableRead = "REPEATABLE READ"
    /// As if transactions ran one after another. May fail with a serialization failure.
    case serializable = "SERIALIZABLE"
}
