import ArgumentParser
import PurchaseModel
import PurchaseProof

/// Verifies a receipt.
struct ReceiptVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify a receipt.",
        discussion: """
            The certificates must chain to Apple's root and must have been valid when the receipt was created. Without options \
            every app, version, device and environment is accepted: name those to accept.

              tillroll receipt verify receipt --bundle-id com.example.app
              echo "$RECEIPT_DATA" | tillroll receipt verify --json | jq .result

            The command detects the format: DER, BER or the property list of an iOS 6 transaction, as bytes, base64, hexadecimal, \
            PEM, or a member such as receipt-data of a JSON object.

            With --json the output is one object: result (verified, refused or indeterminate), reason, place, message, offset, and \
            under receipt the content with the names that verifyReceipt uses. verified is false when the content is not authentic. \
            With --explain the object also has the steps; the verification then takes several times as long.

            Exit codes: 0 verified, 1 refused, 2 indeterminate (a revocation status is unavailable; verify again later), 64 wrong usage.
            """
    )

    @OptionGroup var input: InputArgument
    @OptionGroup(title: "Output") var report: ReportOptions
    @Flag(help: "Show each step of the verification: what it examined, what it found, and the rule.")
    var explain = false
    @OptionGroup(title: "Checks") var checks: CheckOptions
    @OptionGroup(title: "Checks") var ownChecks: ReceiptCheckOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions

    func run() async throws {
        StandardStreams.prepare()
        let verification = ReceiptVerification(roots: try trust.roots(), revocation: trust.revocationRule(), checks, ownChecks)
        let bytes = try input.source.read()
        let answer: Report
        do throws(Refusal) {
            answer = try await verification.report(on: SignedInput(bytes), isExplained: explain)
        } catch { answer = Report(explanation: VerificationExplanation(error)) }
        try answer.deliver(asJSON: report.json)
    }
}
