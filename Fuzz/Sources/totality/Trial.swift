import CrashNote
import Foundation
import FuzzSupport
import PurchaseProof

/// The whole of it: every sample damaged in every way, and every kind of growing input.
struct Trial {
    /// How much went wrong.
    private(set) var findings = 0

    private let verification: SampleVerification
    private let samples: [Sample]
    private let verificationOfForgeries: SampleVerification
    private let forgeries: [Sample]
    private let growths: [Growth]

    /// No input of a few kilobytes may take longer than this, in seconds.
    private static let patience = 0.25
    /// Twice the input may take so many times the time: twice, and room for what the machine does besides.
    private static let growthLimit = 2.8

    init(samples folder: URL) throws {
        verification = SampleVerification(roots: try Corpus.roots(in: folder))
        samples = try Sample.made(in: folder)
        verificationOfForgeries = SampleVerification(roots: try Corpus.rootsOfForgeries())
        forgeries = try Sample.forgeries(in: Corpus.forgeries)
        guard let receipt = samples.first(where: { $0.name == "receipt-1.der" }).flatMap({ ReceiptShell($0.bytes) }),
            let signedData = samples.first(where: { $0.name == "transactions.jws" }).flatMap({
                JWSShell(String(decoding: $0.bytes, as: UTF8.self))
            })
        else { throw Failure("\(folder.path) lacks receipt-1.der or transactions.jws.") }
        growths = Growth.all(receipt: receipt, signedData: signedData)
    }

    /// Why the trial could not be held.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// Does a share of the work, and prints what came out.
    mutating func run(part: Int, of parts: Int) async throws {
        for (index, sample) in samples.enumerated() where index % parts == part {
            var tally = Tally()
            await damage(sample, with: verification, &tally)
            print("\(sample.name), \(sample.bytes.count) bytes: \(tally.line)")
        }
        var tally = Tally()
        var count = 0
        for (index, forgery) in forgeries.enumerated() where index % parts == part {
            await damage(forgery, with: verificationOfForgeries, &tally)
            count += 1
        }
        print("\(count) forgeries: \(tally.line)")
        for (index, growth) in growths.enumerated() where index % parts == part { await grow(growth) }
    }

    private mutating func damage(_ sample: Sample, with verification: SampleVerification, _ tally: inout Tally) async {
        let genuine = await verification.verify(sample.bytes, as: sample.kind)
        let isGenuine = if case .verified = genuine { true } else { false }
        var complaints: [String] = []
        await Mutation.all(of: sample.bytes, thorough: sample.thorough) { mutation in
            crash_note_set("\(sample.name), \(mutation)")
            let damaged = mutation.applied(to: sample.bytes)
            let (outcome, cost) = await Cost.of { await verification.verify(damaged, as: sample.kind) }
            tally.add(outcome, cost, of: damaged.count)
            if isGenuine, case .verified = outcome, outcome != genuine {
                complaints.append("\(sample.name), \(mutation): it is verified and its content differs.")
            }
            if cost.multiple(of: damaged.count) > Cost.limit {
                complaints.append("\(sample.name), \(mutation): \(cost.peak) bytes of memory for \(damaged.count).")
            }
            if cost.seconds > Self.patience {
                complaints.append("\(sample.name), \(mutation): it took \(cost.seconds) s.")
            }
        }
        complain(complaints)
    }

    private mutating func grow(_ growth: Growth) async {
        var sizes: [Int] = []
        var seconds: [Double] = []
        var memory = 0.0
        var end = ""
        for factor in [1, 2, 4] {
            let input = growth.make(growth.size * factor)
            crash_note_set("\(growth.name), \(input.count) bytes")
            sizes.append(input.count)
            var fastest = Double.infinity
            for _ in 0..<3 {
                let (outcome, cost) = await Cost.of { await verification.verify(input, as: growth.kind) }
                fastest = min(fastest, cost.seconds)
                memory = max(memory, cost.multiple(of: input.count))
                end = Self.word(for: outcome)
            }
            seconds.append(fastest)
        }
        // Below a millisecond the clock says more about the machine than about the input.
        let ratios = zip(seconds, seconds.dropFirst()).map { $0 < 1e-3 ? 1 : $1 / $0 }
        let times = seconds.map { "\(Int($0 * 1e6))" }.joined(separator: ", ")
        print("\(growth.name), up to \(sizes.last ?? 0) bytes: \(end); \(times) µs; memory \(Int(memory.rounded(.up)))×")
        if let worst = ratios.max(), worst > Self.growthLimit {
            complain(["\(growth.name): twice the input takes \(worst) times as long."])
        }
        if memory > Cost.limit { complain(["\(growth.name): \(Int(memory)) bytes of memory for each byte."]) }
    }

    private mutating func complain(_ complaints: [String]) {
        findings += complaints.count
        for complaint in complaints.prefix(10) { print("  WRONG: \(complaint)") }
        if complaints.count > 10 { print("  and \(complaints.count - 10) more.") }
    }

    private static func word(for outcome: SampleVerification.Outcome) -> String {
        switch outcome {
        case .unreadable(let why): "unreadable (\(why))"
        case .refused(let code): code
        case .indeterminate: "indeterminate"
        case .verified: "verified"
        }
    }
}
