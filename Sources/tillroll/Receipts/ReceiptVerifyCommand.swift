import ArgumentParser
import PurchaseModel
import PurchaseProof

/// Says what a receipt is worth.
struct ReceiptVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Say what a receipt is worth, and why.",
        discussion: """
            The signature must lead to Apple's root by certificates that were good when the receipt was made. Without options \
            every app, version, device and environment is accepted: say which are yours.

              tillroll receipt verify receipt --bundle-id com.example.app
              echo "$RECEIPT_DATA" | tillroll receipt verify --json | jq .verdict

            It finds out by itself whether the receipt is DER, BER or the property list of an iOS 6 transaction, and whether it \
            comes as bytes, base64, hexadecimal, PEM, or a member such as receipt-data of a JSON object.

            With --json it prints one object: verdict (verified, refused or unknown), reason, place, sentence, offset, and under \
            receipt the content with the names that verifyReceipt uses. proven is false when nobody vouches for the content.

            Exit codes: 0 verified, 1 refused, 2 unknown (nobody could say; ask again later), 64 wrong usage.
            """
    )

    @OptionGroup var input: InputArgument
    @OptionGroup(title: "Answer") var report: ReportOptions
    @Flag(help: "Show each step: what was looked at, what was seen, and the rule.")
    var explain = false
    @OptionGroup(title: "Checks") var checks: CheckOptions
    @OptionGroup(title: "Checks") var ownChecks: ReceiptCheckOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions

    func run() async throws {
        StandardStreams.prepare()
        let judge = ReceiptJudge(roots: try trust.roots(), revocation: trust.revocationRule(), checks, ownChecks)
        let bytes = try input.source.read()
        var answer: Report
        do throws(Refusal) {
            answer = try await judge.report(on: SignedInput(bytes))
        } catch { answer = Report(judgement: Judgement(error)) }
        if !explain { answer.explanation = nil }
        try answer.deliver(asJSON: report.json)
    }
}
