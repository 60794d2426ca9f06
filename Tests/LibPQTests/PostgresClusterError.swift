/// Why there is no server to test against.
enum PostgresClusterError: Error, CustomStringConvertible {
    /// No `initdb` and `pg_ctl` on this machine.
    case notInstalled
    /// One of PostgreSQL's programs gave up.
    case failed(program: String, output: String)

    var description: String {
        switch self {
        case .notInstalled: "PostgreSQL is not installed, and these tests are about it. Run scripts/setup."
        case .failed(let program, let output): "\(program) failed:\n\(output)"
        }
    }
}
