import ArgumentParser
import PurchaseProof

/// Says what a JWS is worth.
struct JWSVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Say what a signed transaction, renewal, notification or app transaction is worth, and why.",
        discussion: """
            The signature must lead to Apple's root by the certificates in the header, which must have been good when it was \
            signed. Without options every app, device and environment is accepted: say which are yours. What lies in a \
            notification has signatures of its own, which are verified, too.

              tillroll jws verify notification.json --bundle-id com.example.app
              echo "$TRANSACTION" | tillroll jws verify --json | jq .payload.productId

            The file may hold the JWS itself or the JSON that it came in, such as {"signedPayload": ...}.

            With --json it prints one object: verdict (verified, refused or unknown), reason, place, sentence, kind, the payload \
            exactly as it was signed, and under inner the verdicts on what lies in a notification. proven is false when nobody \
            vouches for the payload.

            Exit codes: 0 verified, 1 refused, 2 unknown (nobody could say; ask again later), 64 wrong usage.
            """
    )

    @OptionGroup var input: InputArgument
    @OptionGroup(title: "Answer") var report: ReportOptions
    @Flag(help: "Show each step: what was looked at, what was seen, and the rule.")
    var explain = false
    @OptionGroup(title: "Checks") var checks: CheckOptions
    @OptionGroup(title: "Checks") var ownChecks: SignedDataCheckOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions

    func run() async throws {
        StandardStreams.prepare()
        let judge = SignedDataJudge(roots: try trust.roots(), revocation: trust.revocationRule(), checks, ownChecks)
        let bytes = try input.source.read()
        var answer: Report
        do throws(Refusal) {
            answer = await judge.report(on: try SignedInput(bytes).compact)
        } catch { answer = Report(judgement: Judgement(error)) }
        if !explain { answer.explanation = nil }
        try answer.deliver(asJSON: report.json)
    }
}
