import Foundation

/// Runs of a test that kills processes.
package enum KillRuns {
    /// The number of random kills of `make soak`, which also uses all kill points; nil in `make test`.
    package static let rounds = ProcessInfo.processInfo.environment["TILLROLL_SOAK"].flatMap { Int($0) }

    /// The seed of the random kills and of the kill points of `make test`; `TILLROLL_SEED` repeats those of an earlier run.
    package static let seed =
        ProcessInfo.processInfo.environment["TILLROLL_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))

    /// Returns one of every `stride` kill points, beginning with the one that the seed decides; in `make soak` all of them.
    package static func sample<KillPoint>(_ killPoints: [KillPoint], every stride: Int) -> [KillPoint] {
        guard rounds == nil, stride > 1 else { return killPoints }
        let offset = Int(seed % UInt64(stride))
        return killPoints.enumerated().filter { $0.offset % stride == offset }.map(\.element)
    }

    /// Runs `body` for each kill point, two at a time, and returns those at which it killed a process.
    package static func kills<KillPoint: Hashable & Sendable>(
        at killPoints: [KillPoint], _ body: @escaping @Sendable (KillPoint) async throws -> Bool
    ) async throws -> Set<KillPoint> {
        try await withThrowingTaskGroup(of: KillPoint?.self) { group in
            var killed: Set<KillPoint> = []
            for (number, killPoint) in killPoints.enumerated() {
                if number >= 2, let next = try await group.next() ?? nil { killed.insert(next) }
                group.addTask {
                    // A run can miss a kill point, because the order of concurrent steps varies.
                    for _ in 0..<3 where try await body(killPoint) { return killPoint }
                    return nil
                }
            }
            for try await case let killPoint? in group { killed.insert(killPoint) }
            return killed
        }
    }
}
