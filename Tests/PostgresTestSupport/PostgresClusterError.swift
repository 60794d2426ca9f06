/// Why the PostgreSQL server for the tests did not start or stop.
package enum PostgresClusterError: Error, CustomStringConvertible {
    /// `initdb` and `pg_ctl` are not installed.
    case notInstalled
    /// A program of PostgreSQL exited with an error.
    case failed(program: String, output: String)

    package var description: String {
        switch self {
        case .notInstalled: "PostgreSQL is not installed. Install it with: scripts/setup"
        case .failed(let program, let output): "\(program) failed:\n\(output)"
        }
    }
}
