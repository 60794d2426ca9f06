import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing
import Wire
import WireClient

/// The number of rounds, each with one fault; 0 if the tests do not run.
enum ClusterRounds {
    static let count = ProcessInfo.processInfo.environment["TILLROLL_CLUSTER"].flatMap { Int($0) } ?? 0
}

/// Tests of three servers with three nodes of PostgreSQL, of which some are killed or disconnected under load.
///
/// `make cluster ROUNDS=8` runs them; `TILLROLL_SEED` repeats the faults of an earlier run.
@Suite(.serialized, .enabled(if: ClusterRounds.count > 0, "make cluster runs these tests")) struct ClusterTests {
    private static let seed =
        ProcessInfo.processInfo.environment["TILLROLL_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))

    /// The longest time after a fault until the writes of all clients succeed again, without any action.
    private static let resumption = Duration.seconds(90)
    /// The longest time after a repair until the cluster can survive the next fault.
    private static let recovery = Duration.seconds(180)

    @Test func `writes resume after a fault, and no acknowledged write is lost or applied twice`() async throws {
        print("cluster: TILLROLL_SEED=\(Self.seed) ROUNDS=\(ClusterRounds.count)")
        var random = SeededRandom(seed: Self.seed)
        let faults = ClusterFault.sequence(ClusterRounds.count, using: &random)
        try await Cluster.with { cluster in
            var loads: [ClusterLoad] = []
            for (round, fault) in faults.enumerated() {
                loads.append(try await Self.play(fault, in: round, on: cluster, using: &random))
                try await Self.expectAll(of: loads[round], on: cluster, round)
                try await Self.expectRepeatable(loads[round], on: cluster, round)
                try await Self.expectConsistent(cluster, round)
            }
            // The faults of later rounds lose nothing of earlier ones.
            for (round, load) in loads.enumerated() { try await Self.expectAll(of: load, on: cluster, round) }
            let (code, lines) = try await cluster.audit()
            #expect(code == 0 && lines.last == "balanced", "\(lines)")
        }
    }

    /// Causes a fault under load, waits until writes resume, repairs the fault, and waits until the cluster has recovered.
    private static func play(
        _ fault: ClusterFault, in round: Int, on cluster: Cluster, using random: inout SeededRandom
    ) async throws -> ClusterLoad {
        var own = SeededRandom(seed: random.next())
        let load = try await ClusterLoad.run(round, seed: seed, to: cluster) { load in
            try await load.waitForAcknowledgments(sentAfter: .now + .seconds(1), within: resumption)
            let start = ContinuousClock.now
            let (place, repair) = try await fault.inject(into: cluster, using: &own)
            // A write can succeed before the fault has an effect.
            try await load.waitForAcknowledgments(sentAfter: .now + .seconds(3), within: resumption)
            let resumed = load.acknowledgments
            try await repair()
            let repaired = ContinuousClock.now
            try await eventually(within: recovery) { try await cluster.isHealthy() }
            let recovered = ContinuousClock.now
            try await load.waitForAcknowledgments(sentAfter: recovered + .seconds(1), within: resumption)
            let all = load.acknowledgments
            print(
                """
                cluster: round \(round + 1) of \(ClusterRounds.count): \(fault.rawValue) (\(place)): writes refused for \
                \(text(resumed.longestPause(after: start))), longest wait of a client \(text(all.map(\.wait).max() ?? .zero)), \
                \(all.count) writes acknowledged, \(all.filter { $0.attempts > 1 }.count) of them repeated; after the repair writes refused \
                for \(text(all.longestPause(after: repaired))), recovered after \(text(recovered - repaired))
                """)
        }
        return load
    }

    private static func text(_ duration: Duration) -> String {
        String(format: "%.1f s", duration / .seconds(1))
    }

    @Test func `a commit whose replication was canceled is not acknowledged, and takes effect once`() async throws {
        try await Cluster.with { cluster in
            let customer = CustomerID(UUID())
            let grant = LoadRequest(kind: .grant, customer: customer, key: "start", amount: 10)
            _ = try await grant.send(to: cluster.backend)
            let debit = LoadRequest(kind: .debit, customer: customer, key: "debit", amount: -3)
            let primary = await cluster.primary()
            let standbys = cluster.nodes.filter { $0.number != primary?.number }
            // Patroni and etcd continue, so that the primary stays the primary.
            for node in standbys { #expect(node.signal(SIGSTOP, toThoseWith: "postgres") > 0) }
            // The repetition finds the debit, which the primary alone has.
            for attempt in ["the request", "its repetition"] {
                async let outcome = Self.outcome(of: debit, on: cluster)
                let cancel = "SELECT count(pg_cancel_backend(pid)) AS value FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                try? await eventually(within: .seconds(8)) { try await cluster.text(cancel) != "0" }
                #expect(try await outcome == "HTTP 503 storage.unavailable", "\(attempt)")
            }
            for node in standbys { node.signal(SIGCONT, toThoseWith: "postgres") }
            try await eventually { try await cluster.isHealthy() }
            #expect(try await debit.send(to: cluster.backend) == true)
            #expect(Set(try await cluster.backend.postings(of: customer)) == [grant.posting, debit.posting])
            #expect(try await cluster.backend.balance(of: customer) == 7)
        }
    }

    private static func outcome(of request: LoadRequest, on cluster: Cluster) async throws -> String {
        do {
            return "acknowledged, repeated: \(try await request.send(to: cluster.backend) ?? false)"
        } catch WireClientError.refused(let status, let error) {
            return "HTTP \(status) \(error.code)"
        }
    }

    // MARK: Expectations

    /// Expects that the postings of each customer are exactly the acknowledged ones, once each, and add up to the balance.
    private static func expectAll(of load: ClusterLoad, on cluster: Cluster, _ round: Int) async throws {
        for (customer, client) in zip(load.customers, load.knowledge()) {
            let postings = try await cluster.backend.postings(of: customer)
            let expected = client.acknowledgments.map(\.posting)
            #expect(postings.count == expected.count && Set(postings) == Set(expected), "TILLROLL_SEED=\(seed), round \(round)")
            let purchases = try await cluster.text(
                "SELECT count(*) AS value FROM purchase WHERE app = '\(BundleID.test)' AND customer = '\(customer.rawValue)'")
            #expect(Int(purchases) == expected.filter { $0.kind == "purchase" }.count, "TILLROLL_SEED=\(seed), round \(round)")
        }
    }

    /// Expects that the servers know acknowledged requests.
    private static func expectRepeatable(_ load: ClusterLoad, on cluster: Cluster, _ round: Int) async throws {
        for request in load.knowledge().flatMap(\.recent) {
            let isKnown = try await request.send(to: cluster.backend)
            #expect(isKnown == true, "TILLROLL_SEED=\(seed), round \(round): \(request)")
        }
        try await expectAll(of: load, on: cluster, round)
    }

    /// Expects that the entries of each posting add up to zero, and that all nodes have the same postings.
    private static func expectConsistent(_ cluster: Cluster, _ round: Int) async throws {
        let unbalanced = "SELECT 1 FROM ledger_entry GROUP BY app, customer, currency, number HAVING sum(amount) <> 0"
        let count = try await cluster.text("SELECT count(*) AS value FROM (\(unbalanced)) AS unbalanced")
        #expect(count == "0", "TILLROLL_SEED=\(seed), round \(round)")
        let digest = """
            SELECT count(*) || ' ' || coalesce(sum(hashtextextended(concat_ws(' ', app, customer, currency, kind, key, balance), number)), 0)
                AS value FROM ledger_posting
            """
        let primary = try await cluster.text(digest)
        for node in cluster.nodes {
            try await eventually { try await cluster.text(digest, on: node) == primary }
        }
    }
}
