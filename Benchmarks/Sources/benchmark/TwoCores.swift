import Crypto
import Foundation
import PurchaseModel
import PurchaseProof

/// Measures the speedup of two tasks that share a verifier.
struct TwoCores {
    private let samples: Samples
    private let rounds = 11
    /// The minimum duration of a measurement.
    private let slice = Duration.milliseconds(100)

    init(_ samples: Samples) {
        self.samples = samples
    }

    func measure() async throws -> Measurements {
        let signedData = try samples.signedDataVerifier()
        let receipts = try samples.receiptVerifier()
        // Each task has its own copies, as in two requests, so that the tasks share only the verifier.
        let transactions = (0..<2).map { _ in
            samples.transactions.map { SignedTransaction(String(decoding: Array($0.compact.utf8), as: UTF8.self)) }
        }
        let receipt = try samples.receipt(10)
        let copies = (0..<2).map { _ in receipt.map(\.self) }
        let digest = SHA256.hash(data: Data("digest".utf8))
        let key = P256.Signing.PrivateKey()
        let signature = try key.signature(for: digest)

        var measurements = Measurements()
        // The speedup of the machine without a verifier. It is less than 2 when the cores share resources.
        measurements["two.bare"] = try await speedup { [key = key.publicKey] _, _ in
            guard key.isValidSignature(signature, for: digest) else { throw Failure("A valid signature was refused.") }
        }
        measurements["two.jws"] = try await speedup { task, number in
            _ = try await signedData.verify(transactions[task][number % transactions[task].count])
        }
        measurements["two.receipt"] = try await speedup { task, _ in
            _ = try await receipts.verify(copies[task])
        }
        return measurements
    }

    /// Returns twice the time of one task divided by the time of two tasks with the same work.
    ///
    /// Independent tasks have a speedup of 2.
    private func speedup(_ body: @escaping @Sendable (Int, Int) async throws -> Void) async throws -> Double {
        var calls = 1
        while case let seconds = try await time(tasks: 2, calls: calls, body), seconds < slice.seconds { calls *= 2 }
        var gains: [Double] = []
        for _ in 0..<rounds {
            let one = try await time(tasks: 1, calls: calls, body)
            let two = try await time(tasks: 2, calls: calls, body)
            gains.append(2 * one / two)
        }
        return gains.median
    }

    private func time(tasks: Int, calls: Int, _ body: @escaping @Sendable (Int, Int) async throws -> Void) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for number in 0..<calls { try await body(task, number) }
                }
            }
            try await group.waitForAll()
        }
        return (clock.now - start).seconds
    }
}
