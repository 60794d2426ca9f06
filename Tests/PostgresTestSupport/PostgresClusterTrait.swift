package import Testing

/// Starts one server for all tests of a suite and stops it after the last test.
package struct PostgresClusterTrait: SuiteTrait, TestScoping {
    @TaskLocal private static var cluster: PostgresCluster?

    /// Creates an empty database for the running test and returns its connection string.
    package static func createDatabase() throws -> String {
        try #require(cluster, "the suite lacks the .postgresCluster trait").createDatabase()
    }

    /// Creates an empty database for the running test and returns its connection URI.
    package static func createDatabaseURL() throws -> String {
        try #require(cluster, "the suite lacks the .postgresCluster trait").createDatabaseURL()
    }

    /// Runs `body` with a standby of the suite's server; see ``PostgresCluster/withStandby(_:)``.
    package static func withStandby<Value>(_ body: (_ connectionString: (String) -> String) async throws -> Value) async throws -> Value {
        try await #require(cluster, "the suite lacks the .postgresCluster trait").withStandby(body)
    }

    package func provideScope(
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
    package static var postgresCluster: Self { Self() }
}
