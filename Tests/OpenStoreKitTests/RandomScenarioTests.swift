import Foundation
import Testing

/// Random orders of events, which a table can't list.
///
/// `make soak` runs hundreds of scenarios. `TILLROLL_SEED` is the seed of the first one, to repeat a scenario that failed.
@Suite struct RandomScenarioTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = environment["TILLROLL_SEED"].flatMap { UInt64($0) } ?? 0
    private static let rounds = environment["TILLROLL_SOAK"].flatMap { UInt64($0) } ?? 8

    @Test(arguments: first..<first + rounds)
    func `no order of events loses a purchase, charges it twice or delivers it to another account`(_ seed: UInt64) async throws {
        print("random scenario: TILLROLL_SEED=\(seed)")
        var scenario = try await RandomScenario(seed: seed)
        try await scenario.run(40)
        try await scenario.verifyOutcome()
    }
}
