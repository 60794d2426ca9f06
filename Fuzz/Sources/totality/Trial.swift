import CrashNote
import Foundation
import FuzzSupport
import PurchaseProof

/// A run with all mutations of all samples, and with all growing inputs.
struct Trial {
    /// The number of violations.
    private(set) var findings = 0

    private let verification: SampleVerification
    private let samples: [Sample]
    private let forgeryVerification: SampleVerification
    private let forgeries: [Sample]
    private let growths: [Growth]

    /// The time limit in seconds for an input of a few kilobytes.
    private static let timeLimit = 0.25
    /// The limit of the time ratio for twice the input: 2, with a tolerance for noise.
    private static let growthLimit = 2.8
    /// The number of measurements after which a growth above the limit is a violation.
    private static let rounds = 20

    init(samples folder: URL) throws {
        verification = SampleVerification(roots: try Corpus.roots(in: folder))
        samples = try Sample.made(in: folder)
        forgeryVerification = SampleVerification(roots: try Corpus.forgeryRoots())
        forgeries = try Sample.forgeries(in: Corpus.forgeries)
        guard let receipt = samples.first(where: { $0.name == "receipt-1.der" }).flatMap({ ReceiptEnvelope($0.bytes) }),
            let signedData = samples.first(where: { $0.name == "transactions.jws" }).flatMap({
                JWSEnvelope(String(decoding: $0.bytes, as: UTF8.self))
            })
        else { throw Failure("\(folder.path) has no receipt-1.der or transactions.jws. Create samples with: scripts/samples FOLDER") }
        growths = Growth.all(receipt: receipt, signedData: signedData)
    }

    /// An error that prevents the trial, with a message.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// Processes one part of the work and prints the results.
    mutating func run(part: Int, of parts: Int) async throws {
        for (index, sample) in samples.enumerated() where index % parts == part {
            var tally = Tally()
            await mutate(sample, with: verification, &tally)
            print("\(sample.name), \(sample.bytes.count) bytes: \(tally.line)")
        }
        var tally = Tally()
        var count = 0
        for (index, forgery) in forgeries.enumerated() where index % parts == part {
            await mutate(forgery, with: forgeryVerification, &tally)
            count += 1
        }
        print("\(count) forgeries: \(tally.line)")
        for (index, growth) in growths.enumerated() where index % parts == part { await grow(growth) }
    }

    private mutating func mutate(_ sample: Sample, with verification: SampleVerification, _ tally: inout Tally) async {
        let genuine = await verification.verify(sample.bytes, as: sample.kind)
        let isGenuine = if case .verified = genuine { true } else { false }
        var violations: [String] = []
        await Mutation.all(of: sample.bytes, thorough: sample.thorough) { mutation in
            crash_note_set("\(sample.name), \(mutation)")
            let damaged = mutation.applied(to: sample.bytes)
            let (outcome, cost) = await Cost.of(limit: Self.timeLimit) { await verification.verify(damaged, as: sample.kind) }
            tally.add(outcome, cost, of: damaged.count)
            if isGenuine, case .verified = outcome, outcome != genuine {
                violations.append("\(sample.name), \(mutation): verified with other content.")
            }
            if cost.multiple(of: damaged.count) > Cost.limit {
                violations.append("\(sample.name), \(mutation): \(cost.peak) bytes of memory for \(damaged.count) bytes of input.")
            }
            if cost.seconds > Self.timeLimit {
                violations.append("\(sample.name), \(mutation): \(cost.seconds) s of processor time.")
            }
        }
        report(violations)
    }

    private mutating func grow(_ growth: Growth) async {
        let inputs = [1, 2, 4].map { growth.make(growth.size * $0) }
        var seconds = inputs.map { _ in Double.infinity }
        var memory = 0.0
        var outcomeText = ""
        var worstRatio = Double.infinity
        // Work that other programs do can only lengthen a run. So a ratio above the limit is measured again before it counts.
        for round in 0..<Self.rounds where round < 3 || worstRatio > Self.growthLimit {
            for (index, input) in inputs.enumerated() {
                crash_note_set("\(growth.name), \(input.count) bytes")
                let (outcome, cost) = await Cost.of { await verification.verify(input, as: growth.kind) }
                seconds[index] = min(seconds[index], cost.seconds)
                memory = max(memory, cost.multiple(of: input.count))
                outcomeText = Self.text(for: outcome)
            }
            // Times below a millisecond are mostly noise.
            worstRatio = zip(seconds, seconds.dropFirst()).map { $0 < 1e-3 ? 1 : $1 / $0 }.max() ?? 1
        }
        let times = seconds.map { "\(Int($0 * 1e6))" }.joined(separator: ", ")
        print("\(growth.name), up to \(inputs.last?.count ?? 0) bytes: \(outcomeText); \(times) µs; memory \(Int(memory.rounded(.up)))×")
        if worstRatio > Self.growthLimit {
            report(["\(growth.name): twice the input has \(worstRatio) times the processor time."])
        }
        if memory > Cost.limit { report(["\(growth.name): \(Int(memory)) bytes of memory for each byte of input."]) }
    }

    private mutating func report(_ violations: [String]) {
        findings += violations.count
        for violation in violations.prefix(10) { print("  WRONG: \(violation)") }
        if violations.count > 10 { print("  and \(violations.count - 10) more.") }
    }

    private static func text(for outcome: SampleVerification.Outcome) -> String {
        switch outcome {
        case .unreadable(let why): "unreadable (\(why))"
        case .refused(let code): code
        case .indeterminate: "indeterminate"
        case .verified: "verified"
        }
    }
}
