import Foundation
import PurchaseTestSupport
import Testing

@Suite struct KitSimulationTests {
    /// The number of seeds; `make soak ROUNDS=…` sets another one.
    private static let seeds = ProcessInfo.processInfo.environment["TILLROLL_SOAK"].flatMap { UInt64($0) } ?? 16
    private static let groups: UInt64 = 8

    @Test(arguments: 0..<groups)
    func `phones, server and store agree after any sequence of purchases, refunds, debits, restores and kills`(
        _ group: UInt64
    ) async throws {
        var kills = 0
        for seed in stride(from: group, to: Self.seeds, by: Int(Self.groups)) {
            var simulation = try await KitSimulation(seed: seed)
            let findings = try await simulation.run()
            kills += findings.kills
            #expect(findings.differences.isEmpty, "seed \(seed): \(findings.script.joined(separator: "; "))")
        }
        #expect(kills > 0)
    }
}
