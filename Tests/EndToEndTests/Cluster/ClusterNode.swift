import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Wire
import WireClient

/// A node of a cluster: etcd, Patroni and PostgreSQL, in a folder and a network namespace of their own.
struct ClusterNode: Sendable {
    /// The networks of the nodes; the clients' network connects the nodes with the proxy.
    enum Network: String, CaseIterable {
        case peers, clients

        var prefix: String {
            switch self {
            case .peers: "10.0.1"
            case .clients: "10.0.2"
            }
        }
    }

    let number: Int
    let folder: URL
    /// The process that keeps the namespace while the programs of the node are killed.
    private let holder: LineProcess
    private let namespace: String

    var name: String { "node\(number)" }
    /// The address for the servers and for the tests.
    var address: String { "\(Network.clients.prefix).\(number)" }

    // MARK: Networks

    /// Creates the networks.
    static func createNetworks() async throws {
        for network in Network.allCases {
            try await ClusterProgram.run("ip link add \(network) type bridge; ip link set \(network) up")
        }
        try await ClusterProgram.run("ip addr add \(Network.clients.prefix).254/24 dev \(Network.clients)")
    }

    /// Removes the networks.
    static func removeNetworks() async throws {
        for network in Network.allCases { try await ClusterProgram.run("ip link del \(network)") }
    }

    /// Connects the node.
    func connect() async throws {
        for network in Network.allCases { try await ClusterProgram.run("ip link set \(network)\(number) master \(network)") }
    }

    /// Disconnects the node: packets disappear without an error, as with a broken switch.
    func disconnect(from networks: [Network] = Network.allCases) async throws {
        for network in networks { try await ClusterProgram.run("ip link set \(network)\(number) nomaster") }
    }

    // MARK: Processes

    /// Creates a node whose programs do not run yet.
    init(number: Int, in folder: URL) async throws {
        self.number = number
        self.folder = folder.appending(path: "node\(number)")
        try await ClusterProgram.makeFolder(self.folder)
        holder = try ClusterProgram.launch("exec unshare --net bash -c 'ip link set lo up; echo ready; exec sleep infinity'")
        _ = await holder.lines.first { _ in true }
        namespace = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(holder.pid)/ns/net")
        for network in Network.allCases {
            let inside = "nsenter -t \(holder.pid) -n ip"
            // The kernel removes the links of an earlier cluster some time after its nodes have ended.
            try await ClusterProgram.run(
                """
                ip link del \(network)\(number) 2>/dev/null || true
                ip link add \(network)\(number) type veth peer name \(network) netns \(holder.pid); ip link set \(network)\(number) up
                \(inside) addr add \(network.prefix).\(number)/24 dev \(network); \(inside) link set \(network) up
                """)
        }
        try await connect()
        let template = URL(filePath: #filePath).appending(path: "../../../../docs/cluster/patroni.yml").standardizedFileURL
        let text = try String(contentsOf: template, encoding: .utf8).replacing("NUMBER", with: "\(number)")
            .replacing("FOLDER", with: self.folder.path).replacing("PROGRAMS", with: try Self.programs())
        // The comments name the placeholders, too.
        try Data(text.utf8).write(to: folder.appending(path: "patroni\(number).yml"))
    }

    /// Starts the programs.
    func start() throws {
        let peers = (1...3).map { "node\($0)=http://\(Network.peers.prefix).\($0):2380" }.joined(separator: ",")
        let own = "http://\(Network.peers.prefix).\(number)"
        let etcd = """
            etcd --name \(name) --data-dir '\(folder.path)/etcd' --enable-v2=true --initial-cluster-token tillroll \
            --initial-cluster \(peers) --initial-advertise-peer-urls \(own):2380 --listen-peer-urls \(own):2380 \
            --advertise-client-urls \(own):2379 --listen-client-urls \(own):2379,http://\(address):2379
            """
        try launch("etcd", etcd)
        try launch("patroni", "patroni '\(folder.deletingLastPathComponent().path)/patroni\(number).yml'")
    }

    private func launch(_ name: String, _ command: String) throws {
        let log = folder.deletingLastPathComponent().appending(path: "\(name)\(number).log").path
        _ = try ClusterProgram.launch("exec nsenter -t \(holder.pid) -n \(ClusterProgram.asPostgres)\(command) >>'\(log)' 2>&1")
    }

    /// Kills all programs of the node.
    func kill() async throws {
        // A process can start another one while it is killed.
        try await eventually { signal(SIGKILL) == 0 }
    }

    /// Pauses all programs of the node, which notice nothing.
    func pause() {
        // A process can start another one before it is paused.
        for _ in 0..<2 { signal(SIGSTOP) }
    }

    /// Continues the programs after ``pause()``.
    func resume() { signal(SIGCONT) }

    /// Kills all programs of the node for good.
    func remove() async throws {
        try await kill()
        await holder.kill()
    }

    /// Sends a signal to all processes of the node, or to those whose command contains a text, and returns their number.
    @discardableResult
    func signal(_ number: Int32, toThoseWith text: String = "") -> Int {
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        let own = all.filter { pid in
            guard pid != holder.pid, (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/ns/net")) == namespace
            else { return false }
            return text.isEmpty || Self.command(of: pid).contains(text)
        }
        for pid in own { Foundation.kill(pid, number) }
        return own.count
    }

    private static func command(of pid: Int32) -> String {
        let file = FileHandle(forReadingAtPath: "/proc/\(pid)/cmdline")
        defer { try? file?.close() }
        return String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
    }

    private static func programs() throws -> String {
        let releases = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql").compactMap { Int($0) }
        return "/usr/lib/postgresql/\(releases.max() ?? 0)/bin"
    }

    // MARK: State

    /// Whether Patroni states that the node is the primary.
    func isPrimary() async -> Bool { await status(8008, "/primary") == 200 }

    /// Whether the node's etcd is part of a majority.
    func hasMajority() async -> Bool { await status(2379, "/health") == 200 }

    private func status(_ port: Int, _ path: String) async -> Int? {
        try? await WireClient(baseURL: "http://\(address):\(port)", timeoutSeconds: 2).exchange("GET", path, [:], nil).status
    }
}
