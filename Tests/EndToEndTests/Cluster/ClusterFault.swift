import PurchaseTestSupport
import Testing

/// A fault of a cluster.
enum ClusterFault: String, CaseIterable {
    case primaryKilled = "the primary is killed"
    case standbyKilled = "the synchronous standby is killed"
    case serverKilled = "a server is killed"
    /// The servers still reach the primary, which does not know yet that it is no primary.
    case primaryCutOffFromPeers = "the primary is cut off from the other nodes"
    case primaryCutOff = "the primary is cut off from all"
    case standbyCutOff = "the synchronous standby is cut off from all"
    /// The former primary continues with the state of the past.
    case primaryPaused = "the primary is paused, and continues"
    case allKilled = "everything is killed and restarted"

    /// Returns the faults of a number of rounds: each one once in random order, and so on.
    static func sequence(_ count: Int, using random: inout SeededRandom) -> [ClusterFault] {
        var faults: [ClusterFault] = []
        while faults.count < count { faults += allCases.shuffled(using: &random) }
        return Array(faults.prefix(count))
    }

    /// Causes the fault, and returns its place and its repair.
    func inject(into cluster: Cluster, using random: inout SeededRandom) async throws -> (place: String, repair: () async throws -> Void) {
        switch self {
        case .serverKilled:
            let number = Int.random(in: 1...cluster.servers.count, using: &random)
            cluster.servers[number - 1].kill()
            return ("server\(number)", {})
        case .allKilled:
            for node in cluster.nodes { node.pause() }
            for process in cluster.servers + [cluster.proxy] { process.kill() }
            for node in cluster.nodes { try await node.kill() }
            for node in cluster.nodes { try node.start() }
            return ("all", {})
        case .standbyKilled, .standbyCutOff:
            return try await inject(at: try #require(try await cluster.synchronousStandby()))
        case .primaryKilled, .primaryCutOffFromPeers, .primaryCutOff, .primaryPaused:
            return try await inject(at: try #require(await cluster.primary()))
        }
    }

    private func inject(at node: ClusterNode) async throws -> (place: String, repair: () async throws -> Void) {
        switch self {
        case .primaryPaused:
            node.pause()
            return (node.name, { node.resume() })
        case .primaryCutOffFromPeers:
            try await node.disconnect(from: [.peers])
            return (node.name, { try await node.connect() })
        case .primaryCutOff, .standbyCutOff:
            try await node.disconnect()
            return (node.name, { try await node.connect() })
        case .primaryKilled, .standbyKilled, .serverKilled, .allKilled:
            try await node.kill()
            return (node.name, { try node.start() })
        }
    }
}
