import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Testing

/// Random histories of a store, whose messages reach the server doubled, late, in another order, or not at all.
///
/// `make soak` plays 1,000 histories. `TILLROLL_SEED` is the seed of the first one, to repeat a history that failed.
@Suite struct HistoryTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = environment["TILLROLL_SEED"].flatMap { UInt64($0) } ?? 0
    private static let rounds = environment["TILLROLL_SOAK"].flatMap { UInt64($0) }.map { max($0, 1_000) } ?? 40
    private static let parallel = 3
    /// The kinds of events that the histories contain.
    private static let kinds = [
        "uploaded", "claimed", "lost", "frozen", "restored", "charged ahead", "DID_RENEW", "DID_RENEW BILLING_RECOVERY",
        "DID_FAIL_TO_RENEW GRACE_PERIOD", "GRACE_PERIOD_EXPIRED",
        "EXPIRED VOLUNTARY", "SUBSCRIBED RESUBSCRIBE", "DID_CHANGE_RENEWAL_PREF UPGRADE", "DID_CHANGE_RENEWAL_PREF DOWNGRADE",
        "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED", "REFUND", "REFUND_REVERSED", "REVOKE", "ONE_TIME_CHARGE",
    ]

    @Test func `the server's entitlements and balances equal the store's records, however its messages arrive`() async throws {
        let counts = try await withThrowingTaskGroup(of: [String: Int].self) { group in
            var counts: [String: Int] = [:]
            for seed in Self.first..<(Self.first + Self.rounds) {
                if seed >= Self.first + UInt64(Self.parallel), let next = try await group.next() { counts.merge(next, uniquingKeysWith: +) }
                group.addTask { try await Self.compare(seed: seed) }
            }
            for try await next in group { counts.merge(next, uniquingKeysWith: +) }
            return counts
        }
        print("\(Self.rounds) histories:", counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        // Another seed can miss a rare kind of event.
        for kind in Self.kinds where Self.first == 0 {
            #expect(counts[kind, default: 0] > 0, "no \(kind)")
        }
    }

    private static func compare(seed: UInt64) async throws -> [String: Int] {
        try await StoreHistory.play(seed: seed) { history, store in
            var random = SeededRandom(seed: seed)
            let (messages, lost) = history.arrivals(&random, losesNotifications: true)
            let policy = RefundPolicy.allCases[Int(seed % UInt64(RefundPolicy.allCases.count))]
            let (outcomes, frozen) = try await HistoryServer.outcomes(
                of: history, in: store, receiving: messages, missing: lost, policy: policy, &random)
            let differences = outcomes.differences(from: history.expected)
            #expect(differences.isEmpty, "\(policy)\n\(differences.joined(separator: "\n"))\n\(history.transcript)")
            return history.counts.merging(["lost": lost, "frozen": frozen]) { $1 }
        }
    }

    /// The number of histories within which every fault is found: a grace period decides in few of them.
    private static let faultLimit: UInt64 = 100

    @Test(arguments: FaultyServer.Fault.allCases)
    func `the histories find a server with a fault`(_ fault: FaultyServer.Fault) async throws {
        for seed in 0..<Self.faultLimit {
            let history = try await StoreHistory.play(seed: seed)
            var random = SeededRandom(seed: seed)
            let arrivals = try await history.arrivals(of: history.arrivals(&random).messages)
            // The same decisions without the fault are correct.
            let correct = FaultyServer.outcomes(of: history, receiving: arrivals, with: nil).differences(from: history.expected)
            #expect(correct.isEmpty, "\(correct.joined(separator: "\n"))\n\(history.transcript)")
            let differences = FaultyServer.outcomes(of: history, receiving: arrivals, with: fault).differences(from: history.expected)
            guard differences.isEmpty else {
                print("\(fault): found by history \(seed + 1)")
                return
            }
        }
        Issue.record("\(Self.faultLimit) histories did not find the fault.")
    }
}
