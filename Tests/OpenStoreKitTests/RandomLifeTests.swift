import Foundation
import Testing

/// What can't be listed, because it is the order of things that matters; `make soak` plays hundreds.
@Suite struct RandomLifeTests {
    private static let rounds = ProcessInfo.processInfo.environment["TILLROLL_SOAK"].flatMap { UInt64($0) } ?? 16

    @Test(arguments: 0..<rounds)
    func `whatever happens in whatever order, nothing is lost, charged twice or another's`(_ seed: UInt64) async throws {
        var life = try await RandomLife(seed: seed)
        try await life.live(40)
        try await life.settleAccounts()
    }
}
