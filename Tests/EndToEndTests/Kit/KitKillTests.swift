import Foundation
import KitProcess
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests that kill the process of an app with the kit before, in the middle of and after every durable step of a delivery, the vault, the
/// keychain, and the server's calls.
///
/// Each run relaunches the app until it is idle, compares it with the charges at the store and the balance on the server, relaunches it
/// once more, which changes nothing, and continues the script to its end. A run without a kill prints the list of kill points. `make soak`
/// uses all of them and those of the device, and `make test` a part.
@Suite(.serialized) struct KitKillTests {
    @Test(arguments: [true, false])
    func `purchases are delivered once, whenever the app is killed`(_ usesServer: Bool) async throws {
        try await killAtEachStep(.purchase, usesServer)
    }

    @Test(arguments: [true, false])
    func `purchases that wait for the app are delivered once, side by side, whenever it is killed`(_ usesServer: Bool) async throws {
        try await killAtEachStep(.delivery, usesServer)
    }

    @Test(arguments: [true, false])
    func `refunds count once, whenever the app is killed`(_ usesServer: Bool) async throws {
        try await killAtEachStep(.refund, usesServer)
    }

    @Test(arguments: [true, false])
    func `a restore delivers what the person chose, whenever the app is killed`(_ usesServer: Bool) async throws {
        try await killAtEachStep(.restore, usesServer)
    }

    @Test(arguments: [true, false])
    func `debits count once, whenever the app is killed`(_ usesServer: Bool) async throws {
        try await killAtEachStep(.debit, usesServer)
    }

    @Test func `several kills in a row lose nothing and deliver nothing twice`() async throws {
        print("random kills of the kit: TILLROLL_SEED=\(KillRuns.seed)")
        let rounds = KillRuns.rounds ?? 6
        let killed = try await KillRuns.kills(at: Array(0..<rounds)) { round in
            var random = SeededRandom(seed: KillRuns.seed &+ UInt64(round))
            let kind = KitScenario.Kind.allCases[round % KitScenario.Kind.allCases.count]
            let scenario = try await KitScenario(kind, usesServer: Bool.random(using: &random))
            let phone = try await scenario.phone()
            var cuts: [KitPhone.Launch] = []
            for number in 0...Int.random(in: 1...2, using: &random) {
                // Later app sessions have fewer steps, and continue the script.
                let step = Int.random(in: 1...(number == 0 ? 40 : 20), using: &random)
                cuts.append(try await phone.launch(scenario.script, cut: .number(step)))
            }
            try await scenario.expectConsistent(phone, after: cuts, "TILLROLL_SEED=\(KillRuns.seed), round \(round)")
            return cuts.contains(where: \.wasKilled)
        }
        #expect(killed.count >= rounds * 9 / 10, "TILLROLL_SEED=\(KillRuns.seed)")
    }

    @Test(arguments: ["vault truncating 1", "vault truncated 1", "keychain setting vault-position 1"])
    func `a kill while the vault removes an incomplete write loses nothing`(_ killPoint: String) async throws {
        let scenario = try await KitScenario(.purchase, usesServer: false)
        let phone = try await scenario.phone()
        var cuts = [try await phone.launch(.purchase, cut: .step("vault half-appended 3"))]
        cuts.append(try await phone.launch(.purchase, cut: .step(killPoint)))
        #expect(cuts.filter(\.wasKilled).count == 2)
        try await scenario.expectConsistent(phone, after: cuts, killPoint)
    }

    private func killAtEachStep(_ kind: KitScenario.Kind, _ usesServer: Bool) async throws {
        let scenario = try await KitScenario(kind, usesServer: usesServer)
        let all = try await uncutSteps(scenario)
        let start = ContinuousClock.now
        let sample = KillRuns.sample(all, every: 12)
        let killed = try await KillRuns.kills(at: sample) { killPoint in
            let phone = try await scenario.phone()
            let cut = try await phone.launch(scenario.script, cut: .step(killPoint))
            guard cut.wasKilled else { return false }
            try await scenario.expectConsistent(phone, after: [cut], killPoint)
            return true
        }
        let missed = Set(sample).subtracting(killed)
        let duration = ContinuousClock.now - start
        print("\(kind), server: \(usesServer), TILLROLL_SEED=\(KillRuns.seed): \(killed.count) of \(all.count) kill points, \(duration)")
        // The number of writes varies, because changes that arrive together are written together.
        #expect(missed.count <= max(3, sample.count / 10), "no process was killed at: \(missed.sorted())")
    }

    /// Runs the script without a kill, expects its result, and returns the steps in their order.
    private func uncutSteps(_ scenario: KitScenario) async throws -> [String] {
        let phone = try await scenario.phone()
        let uncut = try await phone.launch(scenario.script)
        try await scenario.expectConsistent(phone, after: [uncut], "no kill")
        #expect(!uncut.wasKilled && uncut.reports.count == 2)
        return uncut.steps
    }
}
