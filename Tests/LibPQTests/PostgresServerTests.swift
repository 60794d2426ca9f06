import PostgresTestSupport
import Testing

/// The suites that use a PostgreSQL server.
///
/// The suites are nested so that they share one server.
@Suite(.postgresCluster, .timeLimit(.minutes(10)))
enum PostgresServerTests {}
