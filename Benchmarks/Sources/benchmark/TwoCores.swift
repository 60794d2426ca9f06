import Crypto
import Foundation
import PurchaseProof

/// How much faster two tasks are than one, when they share a verifier.
struct TwoCores {
    private let samples: Samples
    private let rounds = 11
    /// How long one measurement takes at least.
    private let slice = Duration.milliseconds(100)

    init(_ samples: Samples) {
        self.samples = samples
    }

    func measure() async throws -> Measurements {
        let signedData = try samples.signedDataVerifier()
        let transactions = samples.transactions
        let receipts = try samples.receiptVerifier()
        let receipt = try samples.receipt(10)
        let digest = SHA256.hash(data: Data("digest".utf8))
        let key = P256.Signing.PrivateKey()
        let signature = try key.signature(for: digest)

        var measurements = Measurements()
        // What the machine itself gives: two cores that share something are not two.
        measurements["two.bare"] = try await gain { [key = key.publicKey] _ in
            guard key.isValidSignature(signature, for: digest) else { throw Failure("A good signature was not accepted.") }
        }
        measurements["two.jws"] = try await gain { number in
            _ = try await signedData.verify(transactions[number % transactions.count])
        }
        measurements["two.receipt"] = try await gain { _ in
            _ = try await receipts.verify(receipt)
        }
        return measurements
    }

    /// Twice the time of one task over the time of two that each do the same: 2 when they do not get into each other's way.
    private func gain(_ body: @escaping @Sendable (Int) async throws -> Void) async throws -> Double {
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

    private func time(tasks: Int, calls: Int, _ body: @escaping @Sendable (Int) async throws -> Void) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    for number in 0..<calls { try await body(number) }
                }
            }
            try await group.waitForAll()
        }
        return (clock.now - start).seconds
    }
}
