import Foundation
import Testing

/// Random orders of events, which a table can't list. `make soak` runs hundreds of scenarios.
@Suite struct RandomScenarioTests {
    private static let rounds = ProcessInfo.processInfo.environment["TILLROLL_SOAK"].flatMap { UInt64($0) } ?? 16

    @Test(arguments: 0..<rounds)
    func `no order of events loses a purchase, charges it twice or delivers it to another account`(_ seed: UInt64) async throws {
        var scenario = try await RandomScenario(seed: seed)
        try await scenario.run(40)
        try await scenario.verifyOutcome()
    }
}
