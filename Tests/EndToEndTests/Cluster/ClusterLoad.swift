import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Synchronization
import Wire
import WireClient

/// Clients that submit purchases and debit credits at the same time, and repeat each request until it is acknowledged.
final class ClusterLoad: Sendable {
    /// An acknowledged request.
    struct Acknowledgment {
        let posting: Posting
        /// When the request was sent first.
        let sent: ContinuousClock.Instant
        let acknowledged: ContinuousClock.Instant
        let attempts: Int

        var wait: Duration { acknowledged - sent }
    }

    /// What a client knows.
    struct Client {
        var acknowledgments: [Acknowledgment] = []
        /// The last acknowledged requests, which are repeated after the round.
        var recent: [LoadRequest] = []

        var last: Acknowledgment? { acknowledgments.last }
    }

    private static let clientCount = 8
    /// The clients run in real time, as the processes of the cluster do.
    private static let timer = ContinuousClock()
    /// The pauses of a client after an acknowledged request, and before it repeats a request.
    private static let (thinkTime, retryDelay) = (Duration.milliseconds(20), Duration.milliseconds(200))
    /// The credits of each customer at the start, so that no debit is refused.
    private static let start: Int64 = 1_000_000_000

    /// The customer of each client.
    let customers = (0..<clientCount).map { _ in CustomerID(UUID()) }
    private let round: Int
    private let backend: ServerBackend
    private let clients = Mutex([Client](repeating: Client(), count: clientCount))
    private let isStopped = Atomic(false)
    private let failure = Mutex<(any Error)?>(nil)

    private init(_ round: Int, _ backend: ServerBackend) {
        self.round = round
        self.backend = backend
    }

    /// Runs the clients while `body` runs, and returns when all their requests are acknowledged.
    static func run(_ round: Int, seed: UInt64, to cluster: Cluster, _ body: (ClusterLoad) async throws -> Void) async throws -> ClusterLoad
    {
        let load = ClusterLoad(round, cluster.backend)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<clientCount {
                group.addTask {
                    var random = SeededRandom(seed: seed &+ UInt64(round * 100 + client))
                    do { try await load.run(client, using: &random) } catch {
                        load.failure.withLock { $0 = error }
                        throw error
                    }
                }
            }
            defer { load.isStopped.store(true, ordering: .relaxed) }
            try await body(load)
            load.isStopped.store(true, ordering: .relaxed)
            try await group.waitForAll()
        }
        return load
    }

    /// Waits until each client has an acknowledgment of a request that it sent after a moment.
    func waitForAcknowledgments(sentAfter moment: ContinuousClock.Instant, within limit: Duration) async throws {
        try await eventually(within: limit) {
            if let error = failure.withLock({ $0 }) { throw error }
            return clients.withLock { $0.allSatisfy { ($0.last?.sent ?? moment) > moment } }
        }
    }

    /// What each client knows.
    func knowledge() -> [Client] { clients.withLock { $0 } }

    /// All acknowledgments in their order.
    var acknowledgments: [Acknowledgment] {
        knowledge().flatMap(\.acknowledgments).sorted { $0.acknowledged < $1.acknowledged }
    }

    private func run(_ client: Int, using random: inout SeededRandom) async throws {
        let customer = customers[client]
        var number = 0
        while !isStopped.load(ordering: .relaxed) {
            let request = try Self.request(number, of: customer, number: round * 10_000_000 + client * 1_000_000 + number, using: &random)
            let acknowledgment = try await send(request)
            clients.withLock {
                $0[client].acknowledgments.append(acknowledgment)
                $0[client].recent = $0[client].recent.suffix(9) + [request]
            }
            number += 1
            try await Self.timer.sleep(for: Self.thinkTime)
        }
    }

    private static func request(
        _ index: Int, of customer: CustomerID, number: Int, using random: inout SeededRandom
    ) throws -> LoadRequest {
        guard index > 0 else { return LoadRequest(kind: .grant, customer: customer, key: "start", amount: start) }
        let quantity = Int.random(in: 1...10, using: &random)
        guard Bool.random(using: &random) else {
            return LoadRequest(kind: .debit, customer: customer, key: "\(number)", amount: -Int64(quantity))
        }
        return try .purchase(.credits(TransactionID("\(7_000_000_000_000 + number)"), quantity: quantity, of: customer))
    }

    private func send(_ request: LoadRequest) async throws -> Acknowledgment {
        let sent = ContinuousClock.now
        var attempts = 1
        while true {
            do {
                _ = try await request.send(to: backend)
                return Acknowledgment(posting: request.posting, sent: sent, acknowledged: .now, attempts: attempts)
            } catch let error where error.isRetryable {
                attempts += 1
                try await Self.timer.sleep(for: Self.retryDelay)
            }
        }
    }
}

extension Error {
    fileprivate var isRetryable: Bool { (self as? WireClientError)?.isRetryable ?? false }
}

extension [ClusterLoad.Acknowledgment] {
    /// The longest time after a moment without an acknowledgment.
    func longestPause(after moment: ContinuousClock.Instant) -> Duration {
        var (longest, last) = (Duration.zero, moment)
        for time in map(\.acknowledged) where time > moment {
            longest = Swift.max(longest, time - last)
            last = time
        }
        return longest
    }
}
