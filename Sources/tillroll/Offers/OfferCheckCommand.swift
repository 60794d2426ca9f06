import ArgumentParser
import Foundation
import PurchaseModel
import PurchaseProof

/// Reports the defects of data that a developer's server signed.
struct OfferCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what is wrong with an offer's signature or a token.",
        discussion: """
            Reads what `tillroll offer sign` prints: the token, or for promotional the object of --json. When the signature does \
            not fit, the usual mistakes are tried until one explains it: the order of the fields, what joins them, upper case, \
            seconds, base64 twice, the other form of signature.

              tillroll offer check api-token token --key AuthKey_ABC123.p8

            Exit codes: 0 nothing is wrong, 1 something is, 64 wrong usage.
            """
    )

    @Argument(help: "promotional, promotional-v2, introductory, advanced-commerce or api-token.")
    var kind: OfferKind

    @Argument(help: ArgumentHelp("The signed offer or token; - or nothing for standard input.", valueName: "file"))
    var file: String?

    @OptionGroup var keyOptions: OfferKeyOptions

    @Option(help: "The app it must be for.")
    var bundleID: String?

    @Option(help: "The issuer it must be of; tokens only.")
    var issuerID: String?

    @Option(help: "The time at which it is used, such as 2026-01-31T12:00:00Z; now unless given.")
    var date: DateOption?

    @OptionGroup(title: "Answer") var report: ReportOptions

    func run() async throws {
        StandardStreams.prepare()
        let key = try keyOptions.publicKey()
        let bytes = try InputSource(file).read()
        let findings = findings(bytes, key, at: date?.timestamp ?? Timestamp(Date()))
        var answer = Report(explanation: VerificationExplanation(result: .verified))
        if let first = findings.first {
            answer.explanation = VerificationExplanation(result: .refused, reason: first.code, message: first.message)
        }
        let list = findings.map { finding in
            JSONValue.object([JSONValue.Member("code", .string(finding.code)), JSONValue.Member("message", .string(finding.message))])
        }
        answer.members = [JSONValue.Member("findings", .array(list))]
        var table = TextTable()
        for finding in findings.dropFirst() { table.add(finding.code, finding.message) }
        answer.sections = [Report.Section(title: "Also", table: table)]
        try answer.deliver(asJSON: report.json)
    }

    private func findings(_ bytes: [UInt8], _ key: BackendPublicKey, at now: Timestamp) -> [SigningFinding] {
        let json = JSONReader.read(bytes)
        let token = json?["token"]?.text ?? String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let bundle = bundleID.map { BundleID($0) }
        return switch kind {
        case .promotional: promotionalFindings(json, key, at: now)
        case .promotionalV2: check(token, .promotionalOffer, key, bundle, now)
        case .introductory: check(token, .introductoryOffer, key, bundle, now)
        case .advancedCommerce: check(token, .advancedCommerce, key, bundle, now)
        case .apiToken: APIToken.check(token, with: key, issuerID: issuerID, bundleID: bundle, now: now)
        }
    }

    private func check(
        _ token: String, _ audience: OfferToken.Audience, _ key: BackendPublicKey, _ bundle: BundleID?, _ now: Timestamp
    ) -> [SigningFinding] {
        OfferToken.check(token, for: audience, with: key, issuerID: issuerID, bundleID: bundle, now: now)
    }

    private func promotionalFindings(_ json: JSONValue?, _ key: BackendPublicKey, at now: Timestamp) -> [SigningFinding] {
        guard let file = OfferFile(json) else { return [.malformed("input")] }
        let isForeign = bundleID.map { $0 != file.offer.bundleID.rawValue } ?? false
        return (isForeign ? [.wrong("bundleIdentifier")] : []) + file.offer.check(file.signature, with: key, now: now)
    }
}
