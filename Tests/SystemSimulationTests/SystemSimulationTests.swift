import Foundation
import Testing

/// Random scripts of the whole system, which each follow from a seed.
///
/// - `TILLROLL_SIMULATIONS` is the number of seeds; `make test` plays 30, and `make soak` 10,000.
/// - `TILLROLL_SEED` is the first seed.
/// - `TILLROLL_SCRIPT` is the path of a script to play in place of the seeds.
@Suite struct SystemSimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = environment["TILLROLL_SEED"].flatMap { UInt64($0) } ?? 0
    private static let count = environment["TILLROLL_SIMULATIONS"].flatMap { UInt64($0) } ?? 30
    private static let parallel = ProcessInfo.processInfo.activeProcessorCount + 1
    /// The number of failing seeds that are shrunk; more would only repeat the same defects.
    private static let failureLimit = 3

    @Test func `devices, store and server agree after any sequence of actions, crashes and lost messages`() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        var (played, crashes, claims, members) = (0, 0, 0, 0)
        var failures: [UInt64] = []
        try await withThrowingTaskGroup(of: (UInt64, Simulation.Report).self) { group in
            var seeds = (Self.first..<Self.first + Self.count).makeIterator()
            func playNext() {
                guard failures.count < Self.failureLimit, let seed = seeds.next() else { return }
                group.addTask { (seed, await Simulation.play(ScriptGenerator.script(seed: seed))) }
            }
            for _ in 0..<Self.parallel { playNext() }
            while let (seed, report) = try await group.next() {
                played += 1
                crashes += report.crashes
                claims += report.claims
                members += report.members
                if !report.violations.isEmpty { failures.append(seed) }
                if played.isMultiple(of: 500) { print("\(played) simulations") }
                playNext()
            }
        }
        let seconds = Double((clock.now - start).components.seconds) + 0.001
        let rate = String(format: "%.1f", Double(played) / seconds)
        print(
            """
            \(played) simulations from seed \(Self.first), \(crashes) crashes, \(claims) claims, \(members) members, \(rate) per second.
            One seed: TILLROLL_SEED=… TILLROLL_SIMULATIONS=1 swift test --filter SystemSimulationTests
            """)
        #expect(played < 25 || (crashes > played / 4 && claims + members > played / 8))
        for seed in failures { try await Self.recordFailure(of: ScriptGenerator.script(seed: seed), "seed \(seed)") }
    }

    /// Shrinks a script that failed, and records an issue with the short script.
    private static func recordFailure(of script: SimulationScript, _ name: String) async throws {
        let (short, violations, plays) = try await shrink(script)
        Issue.record(
            """
            \(name): \(violations.isEmpty ? "the failure did not repeat" : violations.map(\.description).joined(separator: "\n"))
            A script of \(short.steps.count) steps, found with \(plays) simulations. Save it in a file, and replay it with
            TILLROLL_SCRIPT=file swift test --filter SystemSimulationTests
            \(short)
            """)
    }

    /// Shrinks a script to one with a violation of the same kind.
    private static func shrink(
        _ script: SimulationScript, plantedFault: PlantedFault? = nil
    ) async throws -> (script: SimulationScript, violations: [Violation], plays: Int) {
        guard let kind = await repeatedViolations(of: script, plantedFault).first?.kind else { return (script, [], repetitions) }
        var shrinker = ScriptShrinker { shorter in
            // A script whose violation depends on the order of messages would not repeat it at the end.
            for _ in 0..<certainPlays {
                guard await Simulation.play(shorter, plantedFault: plantedFault).violations.contains(where: { $0.kind == kind }) else {
                    return false
                }
            }
            return true
        }
        let short = try await shrinker.shrink(script)
        return (short, await repeatedViolations(of: short, plantedFault), shrinker.plays)
    }

    /// The number of plays in which a violation has to repeat: the order of a device's messages can differ between two plays of a script.
    private static let repetitions = 5

    /// The number of plays that each have the violation before a shorter script takes the place of a longer one.
    private static let certainPlays = 3

    /// Returns the violations of the first play that has some.
    private static func repeatedViolations(of script: SimulationScript, _ plantedFault: PlantedFault?) async -> [Violation] {
        for _ in 0..<repetitions {
            let violations = await Simulation.play(script, plantedFault: plantedFault).violations
            if !violations.isEmpty { return violations }
        }
        return []
    }

    // MARK: Planted faults

    /// The number of seeds within which each planted fault is found.
    private static let faultLimit: UInt64 = 60
    /// The seeds that found a fault, of the faults that a later seed found; the search begins there.
    private static let firstSeeds: [PlantedFault: UInt64] = [
        .answersBeforeCommit: 12, .acknowledgesFailedNotification: 11, .deviceForgetsPayments: 24,
    ]
    /// The number of steps of the longest shrunk script.
    private static let shortLength = 8
    /// The faults whose scripts are shrunk: in `make test` a script with a crash, in `make soak` all.
    private static let shrunkFaults: Set<PlantedFault> =
        environment["TILLROLL_SOAK"] == nil ? [.answersBeforeCommit] : Set(PlantedFault.allCases)

    @Test(arguments: PlantedFault.allCases)
    func `the simulation finds a planted fault, and shrinks a script`(_ fault: PlantedFault) async throws {
        let first = Self.firstSeeds[fault] ?? 0
        for seed in [first..<Self.faultLimit, 0..<first].joined() {
            let script = ScriptGenerator.script(seed: seed)
            let found = await Simulation.play(script, plantedFault: fault).violations
            guard !found.isEmpty else { continue }
            // Another violation can be an error of the simulation itself.
            #expect(found.contains { fault.violations.contains($0.kind) } && !found.contains { $0.kind == .failed }, "\(found)")
            guard Self.shrunkFaults.contains(fault) else { return }
            let (short, violations, plays) = try await Self.shrink(script, plantedFault: fault)
            print("\(fault): seed \(seed), \(plays) simulations, \(violations.first?.kind.rawValue ?? "not repeated")\n\(short)")
            #expect(!violations.isEmpty && short.steps.count <= Self.shortLength, "\(short)")
            // The same script finds nothing without the fault.
            #expect(await Simulation.play(short).violations.isEmpty)
            return
        }
        Issue.record("\(Self.faultLimit) seeds did not find the fault.")
    }

    // MARK: Scripts

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scripts", directoryHint: .isDirectory)
    private static let scripts = (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []

    @Test(arguments: scripts)
    func `a script that once failed succeeds`(_ name: String) async throws {
        let script = try SimulationScript(String(contentsOf: Self.folder.appending(path: name), encoding: .utf8))
        let violations = await Simulation.play(script).violations
        #expect(violations.isEmpty, "\(name): \(violations)")
    }

    @Test(.enabled(if: environment["TILLROLL_SCRIPT"] != nil))
    func `the script in TILLROLL_SCRIPT succeeds`() async throws {
        let path = try #require(Self.environment["TILLROLL_SCRIPT"])
        let violations = await Simulation.play(try SimulationScript(String(contentsOfFile: path, encoding: .utf8))).violations
        #expect(violations.isEmpty, "\(violations.map(\.description).joined(separator: "\n"))")
    }

    @Test func `a script is the same after it is printed and read`() throws {
        for seed in UInt64(0)..<100 {
            let script = ScriptGenerator.script(seed: seed)
            #expect(try SimulationScript(script.description) == script)
        }
        #expect(throws: SimulationStep.InvalidLine.self) { try SimulationScript("buy 0 nothing 1") }
    }
}
