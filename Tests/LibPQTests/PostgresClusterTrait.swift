import Testing

/// Starts one server for all tests of a suite and stops it after the last test.
struct PostgresClusterTrait: SuiteTrait, TestScoping {
    @TaskLocal private static var cluster: PostgresCluster?

    /// Creates an empty database for the running test and returns its connection string.
    static func createDatabase() throws -> String {
        try #require(cluster, "the suite lacks the .postgresCluster trait").createDatabase()
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await PostgresCluster.withCluster { cluster in
            try await Self.$cluster.withValue(cluster, operation: function)
        }
    }
}

extension Trait where Self == PostgresClusterTrait {
    /// Runs the suite with a PostgreSQL server.
    static var postgresCluster: Self { Self() }
}

/// The suites that use a PostgreSQL server.
///
/// The suites are nested so that they share one server.
@Suite(.postgresCluster, .timeLimit(.minutes(2)))
enum PostgresServerTests {}
