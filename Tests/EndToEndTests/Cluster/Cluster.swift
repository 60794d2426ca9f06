import Foundation
import LibPQ
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Wire
import WireClient

/// Three servers behind a proxy, with three nodes of PostgreSQL, on this machine.
///
/// `scripts/in-namespaces` gives the test process the networks of the cluster, and ends all processes of the cluster with the test process.
struct Cluster: Sendable {
    /// The error of a statement that returned no row.
    struct NoRow: Error {}

    let nodes: [ClusterNode]
    let servers: [SupervisedProcess]
    let proxy: SupervisedProcess
    /// A backend that sends its requests to the proxy.
    let backend: ServerBackend
    private let folder: TemporaryFolder
    private let database: PostgresPool

    private static let url = "postgresql://tillroll@127.0.0.1:5000/tillroll"

    /// Starts a cluster, calls `body` with it, and removes it afterward; prints the ends of the logs if `body` throws.
    static func with(_ body: (Cluster) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await ClusterNode.createNetworks()
            var nodes: [ClusterNode] = []
            for number in 1...3 { nodes.append(try await ClusterNode(number: number, in: folder.url)) }
            let configuration = URL(filePath: #filePath).appending(path: "../../../../docs/cluster/haproxy.cfg").standardizedFileURL
            let proxy = try SupervisedProcess("haproxy", "haproxy -db -f '\(configuration.path)'", in: folder.url)
            var processes = [proxy]
            let outcome: Result<Void, any Error>
            do {
                for node in nodes { try node.start() }
                let key = try await prepareDatabase(in: folder)
                let servers = try (1...3).map { try server($0, in: folder) }
                processes += servers
                let cluster = Cluster(
                    nodes: nodes, servers: servers, proxy: proxy,
                    // A client that waits longer sends the request again.
                    backend: ServerBackend(wire: WireClient(baseURL: "http://127.0.0.1:8080", timeoutSeconds: 10), key: key),
                    folder: folder, database: PostgresPool(url, limit: 1))
                try await eventually { try await cluster.isHealthy() }
                outcome = .success(try await body(cluster))
            } catch {
                print(logs(in: folder))
                outcome = .failure(error)
            }
            for process in processes { await process.stop() }
            for node in nodes { try await node.remove() }
            try await ClusterNode.removeNetworks()
            try outcome.get()
        }
    }

    /// Waits for a primary with a standby, creates the servers' database, and returns a secret key.
    private static func prepareDatabase(in folder: TemporaryFolder) async throws -> String {
        let administrator = PostgresPool("postgresql://postgres@127.0.0.1:5000/postgres", limit: 1)
        try await eventually {
            let standbys = try? await administrator.withConnection { connection in
                try connection.query("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'").count
            }
            return standbys == 2
        }
        try await administrator.withConnection { connection in
            _ = try connection.query("CREATE ROLE tillroll LOGIN IN ROLE pg_monitor, pg_signal_backend")
            _ = try connection.query("CREATE DATABASE tillroll OWNER tillroll")
        }
        try writeConfiguration(in: folder)
        return try await RunningServer.secretKey(arguments(in: folder))
    }

    private static func arguments(in folder: TemporaryFolder) -> [String] {
        ["--configuration-file", folder.file("server.json").path]
    }

    /// Writes the configuration of all servers.
    private static func writeConfiguration(in folder: TemporaryFolder) throws {
        try RunningServer.writeFiles(in: folder)
        let configuration = [
            "environment": "sandbox", "bundle-id": BundleID.test.rawValue, "database": url,
            "secret-key-file": folder.file("secrets.key").path, "products-file": folder.file("products.json").path,
            "content-folder": folder.url.path, "extra-roots-file": folder.file("roots.pem").path,
        ]
        try JSONEncoder().encode(configuration).write(to: folder.file("server.json"))
    }

    private static func server(_ number: Int, in folder: TemporaryFolder) throws -> SupervisedProcess {
        let words = [BuiltProducts.path("tillroll-server")] + arguments(in: folder) + ["--port", "808\(number)"]
        return try SupervisedProcess("server\(number)", words.map { "'\($0)'" }.joined(separator: " "), in: folder.url)
    }

    // MARK: State

    /// The primary; nil while there is none, or several nodes consider themselves the primary.
    func primary() async -> ClusterNode? {
        var primaries: [ClusterNode] = []
        for node in nodes where await node.isPrimary() { primaries.append(node) }
        return primaries.count == 1 ? primaries[0] : nil
    }

    /// The standby for which commits wait.
    func synchronousStandby() async throws -> ClusterNode? {
        let name = try await text("SELECT application_name AS value FROM pg_stat_replication WHERE sync_state = 'sync'")
        return nodes.first { $0.name == name }
    }

    /// Whether all nodes and servers run, the proxy knows of a server, and one standby is synchronous.
    func isHealthy() async throws -> Bool {
        for node in nodes where await !node.hasMajority() { return false }
        guard await primary() != nil else { return false }
        // Port 8080 is the proxy, which finds out with its next check that a server runs.
        for port in 8080...8083 {
            let server = WireClient(baseURL: "http://127.0.0.1:\(port)", timeoutSeconds: 2)
            guard (try? await server.exchange("GET", "/health", [:], nil).status) == 200 else { return false }
        }
        let states = "SELECT string_agg(state || ' ' || sync_state, ',' ORDER BY sync_state) AS value FROM pg_stat_replication"
        return (try? await text(states)) == "streaming async,streaming sync"
    }

    // MARK: Database

    /// Returns the column `value` of the first row of a query on the primary.
    func text(_ sql: String) async throws -> String {
        try await Self.text(sql, on: database)
    }

    /// Returns the column `value` of the first row of a query on a node.
    func text(_ sql: String, on node: ClusterNode) async throws -> String {
        try await Self.text(sql, on: PostgresPool("postgresql://postgres@\(node.address)/tillroll", limit: 1))
    }

    private static func text(_ sql: String, on pool: PostgresPool) async throws -> String {
        try await pool.withConnection { connection in
            guard let row = try connection.query(sql).first else { throw NoRow() }
            return try row.text("value")
        }
    }

    /// Returns the exit code and the output of the operator's audit of the ledger.
    func audit() async throws -> (code: Int32, lines: [String]) {
        try await RunningServer.run(["ledger", "audit"] + Self.arguments(in: folder))
    }

    /// The last lines of the logs, for a failed test.
    private static func logs(in folder: TemporaryFolder) -> String {
        let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []).filter { $0.hasSuffix(".log") }.sorted()
        return files.map { file in
            let lines = ((try? String(contentsOf: folder.file(file), encoding: .utf8)) ?? "").split(separator: "\n").suffix(40)
            return "--- \(file)\n" + lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
