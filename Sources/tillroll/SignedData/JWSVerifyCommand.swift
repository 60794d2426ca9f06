import ArgumentParser
import PurchaseProof

/// Verifies a JWS.
struct JWSVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify a signed transaction, renewal information, notification or app transaction.",
        discussion: """
            The certificates in the header must chain to Apple's root and must have been valid at the time of signing. Without \
            options every app, device and environment is accepted: name those to accept. Each JWS that is nested in a \
            notification carries its own signature and is verified, too.

              tillroll jws verify notification.json --bundle-id com.example.app
              echo "$TRANSACTION" | tillroll jws verify --json | jq .payload.productId

            The file contains the JWS, or JSON with the JWS in a member, such as {"signedPayload": ...}.

            With --json the output is one object: result (verified, refused or indeterminate), reason, place, message, kind, the \
            payload exactly as it was signed, and under inner the results for each nested JWS. verified is false when the payload \
            is not authentic. With --explain the object also has the steps; the verification then takes several times as long.

            Exit codes: 0 verified, 1 refused, 2 indeterminate (a revocation status is unavailable; verify again later), 64 wrong usage.
            """
    )

    @OptionGroup var input: InputArgument
    @OptionGroup(title: "Output") var report: ReportOptions
    @Flag(help: "Show each step of the verification: what it examined, what it found, and the rule.")
    var explain = false
    @OptionGroup(title: "Checks") var checks: CheckOptions
    @OptionGroup(title: "Checks") var ownChecks: SignedDataCheckOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions

    func run() async throws {
        StandardStreams.prepare()
        let verification = SignedDataVerification(roots: try trust.roots(), revocation: trust.revocationRule(), checks, ownChecks)
        let bytes = try input.source.read()
        let answer: Report
        do throws(Refusal) {
            answer = await verification.report(on: try SignedInput(bytes).compact, isExplained: explain)
        } catch { answer = Report(explanation: VerificationExplanation(error)) }
        try answer.deliver(asJSON: report.json)
    }
}
