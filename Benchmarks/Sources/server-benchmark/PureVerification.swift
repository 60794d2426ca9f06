import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseServer

/// Verifies samples, and nothing else, in a process of its own.
enum PureVerification {
    /// What the samples are.
    enum Kind: String, Sendable {
        case notification, transaction
    }

    /// Verifies the samples in a folder one after another, and prints the number of verifications in a second.
    ///
    /// The first samples fill the verified-chain cache.
    static func run(_ kind: Kind, in folder: BenchmarkFolder) async throws {
        let configuration = try BenchmarkShop.configuration(folder)
        let verifier = SignedDataVerifier(
            roots: configuration.roots, bundleID: BenchmarkShop.bundleID, environments: configuration.acceptedEnvironments)
        let samples = try String(contentsOf: folder.samples, encoding: .utf8).split(separator: "\n").map(String.init)
        for sample in samples.prefix(10) { try await verify(sample, kind, verifier) }
        let start = ContinuousClock.now
        for sample in samples { try await verify(sample, kind, verifier) }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try FileHandle.standardOutput.write(contentsOf: Data("\(Double(samples.count) / seconds)\n".utf8))
    }

    /// Returns the number of verifications in a second, measured in a process that has the core of the servers.
    static func rate(of samples: [String], _ kind: Kind, _ launcher: ProcessLauncher) throws -> Double {
        try Data(samples.joined(separator: "\n").utf8).write(to: launcher.folder.samples)
        let process = try launcher.start(["verify", kind.rawValue])
        guard let rate = Double(try process.line()) else { throw MeasuredProcess.Ended() }
        try process.stop()
        return rate
    }

    private static func verify(_ sample: String, _ kind: Kind, _ verifier: SignedDataVerifier) async throws {
        switch kind {
        case .notification: _ = try await verifier.verify(SignedNotification(sample))
        case .transaction: _ = try await verifier.verify(SignedTransaction(sample))
        }
    }
}
