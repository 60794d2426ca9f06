import ArgumentParser
import Foundation
import PurchaseProof

/// Judges millions of receipts and JWS.
struct VerifyBatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "verify-batch")
    @Argument var file: String?
    @OptionGroup(title: "Checks") var checks: ReceiptCheckOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions
    @Option var jobs = 2
    @Option var output: String?

    func run() async throws {
        StandardStreams.prepare()
        let judge = try ReceiptJudge(trust, checks)
        var source = LineSource(try FileDescriptor.reading(file ?? ""), name: file ?? "", maximumLength: 1 << 20)
        let engine = BatchEngine(jobs: jobs) { item in
            switch item.content {
            case .bytes(let bytes):
                guard let input = try? SignedInput(bytes), case .receipt(let receipt) = input.content else {
                    return BatchResult(origin: item.origin, judgement: Judgement(word: .refused))
                }
                return BatchResult(origin: item.origin, judgement: Judgement(await judge.receipts.judge(receipt)))
            default: return BatchResult(origin: item.origin, judgement: Judgement(word: .refused))
            }
        }
        var tally = BatchTally()
        try await engine.run(&source) { answer in
            tally += answer.tally
            try StandardOutput.bytes(answer.lines)
        }
        StandardError.line("\(tally)")
    }
}
