import ArgumentParser
import PurchaseModel
import PurchaseProof

/// Shows the content of a receipt.
struct ReceiptInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show the content of a receipt without verifying it.",
        discussion: """
            The output contains every attribute, also those whose meaning is unknown, and the certificates. Nothing of it is \
            verified: use `tillroll receipt verify` for that.

            Exit codes: 0 the receipt is shown, 1 the input is no receipt, 64 wrong usage.
            """
    )

    @OptionGroup var input: InputArgument
    @OptionGroup(title: "Output") var report: ReportOptions

    func run() async throws {
        StandardStreams.prepare()
        let bytes = try input.source.read()
        let answer: Report
        do throws(Refusal) {
            answer = try Self.report(on: SignedInput(bytes))
        } catch { answer = Report(explanation: VerificationExplanation(error)) }
        try answer.deliver(asJSON: report.json)
    }

    private static func report(on input: SignedInput) throws(Refusal) -> Report {
        var members: [JSONValue.Member] = [
            JSONValue.Member("result", .null), JSONValue.Member("verified", false),
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
