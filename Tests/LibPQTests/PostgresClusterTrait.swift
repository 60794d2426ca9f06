import Testing

/// Starts one server for all tests of a suite and stops it after the last.
struct PostgresClusterTrait: SuiteTrait, TestScoping {
    @TaskLocal private static var cluster: PostgresCluster?

    /// An empty database for the running test.
    static func makeDatabase() throws -> String {
        try #require(cluster, "the suite lacks the .postgresCluster trait").makeDatabase()
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
    /// Lends the suite a PostgreSQL server.
    static var postgresCluster: Self { Self() }
}

/// The suites that talk to a server; nested, so that they share one.
@Suite(.postgresCluster, .timeLimit(.minutes(2)))
enum WithServer {}
