import ArgumentParser
import PurchaseModel
import PurchaseProof

/// Shows what is in a receipt.
struct ReceiptInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what is in a receipt, without asking who wrote it.",
        discussion: """
            Everything is shown as it stands there: attributes whose meaning nobody knows, too, and the certificates that came \
            along. Nothing of it is to be believed; `tillroll receipt verify` says what a receipt is worth.

            Exit codes: 0 when it could be read, 1 when it is no receipt, 64 wrong usage.
            """
    )

    @OptionGroup var input: InputArgument
    @OptionGroup(title: "Answer") var report: ReportOptions

    func run() async throws {
        StandardStreams.prepare()
        let bytes = try input.source.read()
        var answer: Report
        do throws(Refusal) {
            answer = try Self.report(on: SignedInput(bytes))
        } catch { answer = Report(judgement: Judgement(error)) }
        try answer.deliver(asJSON: report.json)
    }

    private static func report(on input: SignedInput) throws(Refusal) -> Report {
        var members: [JSONValue.Member] = [
            JSONValue.Member("verdict", .null), JSONValue.Member("proven", false),
            JSONValue.Member("wrappings", .array(input.wrappings.map { .string($0) })),
        ]
        switch input.content {
        case .receipt(let bytes):
            let shown = ReceiptReport(receipt: try UnverifiedReceipt(bytes))
            members += shown.members + shown.details
            return Report(members: members, sections: shown.sections + [shown.attributes])
        case .transactionReceipt(let bytes):
            let shown = TransactionReceiptReport(receipt: try UnverifiedTransactionReceipt(bytes))
            members += shown.members + shown.signature
            return Report(members: members, sections: shown.sections)
        case .compact:
            throw SignedInput.otherCommand("JWS", "jws")
        }
    }
}
