import Foundation
import LibPQ
import Synchronization

/// A temporary PostgreSQL server for tests.
///
/// The data and the Unix socket are in a temporary folder. The server and the folder are removed at the end of the scope.
package final class PostgresCluster: Sendable {
    private let programs: URL
    private let folder: URL
    private let databases = Atomic<Int>(0)

    private init(programs: URL, folder: URL) {
        self.programs = programs
        self.folder = folder
    }

    /// Starts a server, runs `body` with it, and then stops and removes the server, also when `body` throws.
    package static func withCluster<Value>(_ body: (PostgresCluster) async throws -> Value) async throws -> Value {
        let programs = try findPrograms()
        // A short name: the path of a Unix socket must fit in about a hundred bytes.
        let folder = FileManager.default.temporaryDirectory.appending(path: "pg-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let cluster = PostgresCluster(programs: programs, folder: folder)
        try await cluster.start()
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(cluster))
        } catch {
            outcome = .failure(error)
        }
        try await cluster.stop()
        return try outcome.get()
    }

    /// Creates an empty database and returns its connection string.
    ///
    /// A database for each test isolates tests that run in parallel.
    package func createDatabase() throws -> String {
        connectionString(database: try createNamedDatabase())
    }

    /// Creates an empty database and returns its connection URI.
    package func createDatabaseURL() throws -> String {
        "postgresql://postgres@/\(try createNamedDatabase())?host=\(folder.path)"
    }

    private func createNamedDatabase() throws -> String {
        let name = "test_\(databases.add(1, ordering: .relaxed).newValue)"
        try PostgresConnection(connectionString(database: "postgres")).query("CREATE DATABASE \(name)")
        return name
    }

    /// Returns the connection string of a database of this server.
    package func connectionString(database: String) -> String {
        "host='\(folder.path)' user=postgres dbname=\(database)"
    }

    // MARK: Standby

    /// Starts a hot standby, runs `body` with it, and then stops the standby.
    ///
    /// - Parameter body: Receives a function that returns the standby's connection string for a connection string of this server.
    package func withStandby<Value>(_ body: (_ connectionString: (String) -> String) async throws -> Value) async throws -> Value {
        let standby = folder.appending(path: "standby")
        try await runAsServer("pg_basebackup", ["-h", folder.path, "-U", "postgres", "-D", standby.path, "-R", "--no-sync", "-c", "fast"])
        let options = "-c listen_addresses='' -c unix_socket_directories='\(standby.path)' -c fsync=off -c max_connections=300"
        try await runAsServer(
            "pg_ctl", ["start", "-w", "-s", "-D", standby.path, "-l", folder.appending(path: "standby.log").path, "-o", options])
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body { $0.replacing(self.folder.path, with: standby.path) })
        } catch {
            outcome = .failure(error)
        }
        try await runAsServer("pg_ctl", ["stop", "-w", "-s", "-m", "immediate", "-D", standby.path])
        try FileManager.default.removeItem(at: standby)
        return try outcome.get()
    }

    private var data: URL { folder.appending(path: "data") }
    private var log: URL { folder.appending(path: "log") }

    private func start() async throws {
        if Self.isRoot {
            try await run(URL(filePath: "/bin/chown"), ["postgres", folder.path])
        }
        try await runAsServer(
            "initdb",
            ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync", "-D", data.path]
        )
        let options =
            "-c listen_addresses='' -c unix_socket_directories='\(folder.path)' -c fsync=off -c max_connections=300"
        try await runAsServer("pg_ctl", ["start", "-w", "-s", "-D", data.path, "-l", log.path, "-o", options])
    }

    private func stop() async throws {
        try await runAsServer("pg_ctl", ["stop", "-w", "-s", "-m", "immediate", "-D", data.path])
    }

    // MARK: Programs

    private static let isRoot = geteuid() == 0

    /// Returns the folder with the programs of the newest installed release, or the first such folder in `PATH`.
    private static func findPrograms() throws(PostgresClusterError) -> URL {
        let releases = URL(filePath: "/usr/lib/postgresql")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: releases.path)) ?? []
        let installed = versions.sorted { ($0 as NSString).doubleValue > ($1 as NSString).doubleValue }
            .map { releases.appending(path: $0).appending(path: "bin") }
        let searched = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(filePath: String($0)) }
        let found = (installed + searched).first { folder in
            ["initdb", "pg_ctl"].allSatisfy {
                FileManager.default.isExecutableFile(atPath: folder.appending(path: $0).path)
            }
        }
        guard let found else {
            throw .notInstalled
        }
        return found
    }

    /// Runs a program of PostgreSQL.
    ///
    /// PostgreSQL refuses to run as root. A root process runs the program as the `postgres` account of the installed package.
    private func runAsServer(_ program: String, _ arguments: [String]) async throws {
        let program = programs.appending(path: program)
        if Self.isRoot {
            let runuser = URL(filePath: "/usr/sbin/runuser")
            try await run(runuser, ["-u", "postgres", "--", program.path] + arguments)
        } else {
            try await run(program, arguments)
        }
    }

    /// A shell script that runs its arguments with only the three standard descriptors open.
    ///
    /// Foundation detects the end of a process when an inherited socket closes. Without the script, the server would inherit that
    /// socket from `pg_ctl` and keep it open.
    private static let closingDescriptors = """
        for fd in /dev/fd/*; do fd=${fd##*/}; if [ "$fd" -gt 2 ]; then eval "exec $fd>&-"; fi; done; exec "$@"
        """

    private func run(_ program: URL, _ arguments: [String]) async throws {
        // A file, not a pipe: the server inherits the descriptor and would hold a pipe open for as long as it runs.
        let output = folder.appending(path: "output")
        try Data().write(to: output)
        let writer = try FileHandle(forWritingTo: output)
        defer { try? writer.close() }

        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", Self.closingDescriptors, "bash", program.path] + arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = writer
        process.standardError = writer
        let status = try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                ended.resume(throwing: error)
            }
        }
        guard status == 0 else {
            let messages = [output, log].compactMap { try? String(contentsOf: $0, encoding: .utf8) }.joined(
                separator: "\n")
            throw PostgresClusterError.failed(program: program.lastPathComponent, output: messages)
        }
    }
}
