/// Runs of a test that kills processes.
package enum KillRuns {
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
