import ArgumentParser
import Foundation
import FoundationExtras
import PurchaseIssuing
import PurchaseModel
import PurchaseProof

/// The commands that verify, inspect and issue JWS.
struct JWSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jws",
        abstract: "Verify, inspect and issue signed transactions, renewal info, notifications and app transactions.",
        discussion: """
            `verify` verifies a JWS, `inspect` shows its content without verifying it, `issue` signs JWS for tests.

              tillroll jws verify notification.json --bundle-id com.example.app
              echo "$SIGNED_TRANSACTION" | tillroll jws inspect
            """,
        subcommands: [JWSVerifyCommand.self, JWSInspectCommand.self, JWSIssueCommand.self]
    )
}

/// Verifies a signed transaction, renewal info, notification or app transaction.
struct JWSVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify signed transactions, renewal info, notifications and app transactions.",
        discussion: """
            The certificates in the header must chain to Apple's root and must have been valid at the time of signing. Without \
            options every app, device and environment is accepted: state the expected values. Each JWS that is nested in a \
            notification carries its own signature and is verified, too.

              tillroll jws verify notification.json --bundle-id com.example.app
              echo "$TRANSACTION" | tillroll jws verify --json | jq .payload.productId

            The file contains the JWS, or JSON with the JWS in a member, such as {"signedPayload": ...}.

            With --json the output is one object: result (verified, refused or indeterminate), reason, place, message, kind, the \
            payload exactly as it was signed, and under nested the results for each nested JWS. verified is false when the payload \
            is not authentic. With --explain the object also has the steps; the verification then takes several times as long.
            """,
        exitCodes: .verification
    )

    @OptionGroup var input: InputArgument
    @OptionGroup(title: "Output") var report: ReportOptions
    @Flag(help: "Show each step of the verification: its name, the observed value, the rule and the outcome.")
    var explain = false
    @OptionGroup(title: "Checks") var checks: CheckOptions
    @OptionGroup(title: "Checks") var ownChecks: SignedDataCheckOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions

    func run() async throws {
        StandardStreams.prepare()
        let verification = SignedDataVerification(roots: try trust.roots(), revocation: trust.revocationRule(), checks, ownChecks)
        let bytes = try input.source.read()
        let output: Report
        do throws(Refusal) {
            output = await verification.report(on: try SignedInput(bytes).compact, isExplained: explain)
        } catch { output = Report(explanation: VerificationExplanation(error)) }
        trust.advise(on: output)
        try output.deliver(asJSON: report.json)
    }
}

/// Shows the content of a JWS without verifying it.
struct JWSInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show the content of a JWS without verifying it.",
        discussion: """
            The output contains header, payload and certificates, also of a JWS that `verify` refuses. The content is not \
            verified; use `tillroll jws verify` for verification.
            """,
        exitCodes: .inspection
    )

    @OptionGroup var input: InputArgument
    @OptionGroup(title: "Output") var report: ReportOptions

    func run() async throws {
        StandardStreams.prepare()
        let bytes = try input.source.read()
        let output: Report
        do throws(Refusal) {
            output = try Self.report(on: SignedInput(bytes))
        } catch { output = Report(explanation: VerificationExplanation(error)) }
        try output.deliver(asJSON: report.json)
    }

    private static func report(on input: SignedInput) throws(Refusal) -> Report {
        let jws = try UnverifiedJWS(input.compact)
        let shown = JWSReport(kind: jws.kind, payload: JSONReader.read(jws.payload), jws: jws)
        var members = [JSONValue.Member("result", .null), JSONValue.Member("verified", false)]
        members.append(JSONValue.Member("encodings", .array(input.encodings.map { .string($0) })))
        var header = TextTable()
        if let json = JSONReader.read(jws.header) {
            members.append(JSONValue.Member("header", json))
            if case .object(let all) = json {
                for member in all where member.name != "x5c" {
                    header.add(member.name, member.value.text ?? String(decoding: member.value.bytes, as: UTF8.self))
                }
            }
        }
        header.add("signature", "\(jws.signature.count) bytes")
        return Report(members: members + shown.members, sections: [Report.Section(title: "Header", table: header)] + shown.sections)
    }
}

/// Issues JWS that a local certificate authority signs.
struct JWSIssueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Issue signed data with a local certificate authority, for tests.",
        discussion: """
            The first call creates the authority: authority.pem has its private keys and is readable by you only; roots.pem has the \
            root certificate for verifiers. Such roots are never trusted in production.

              tillroll jws issue --authority mine --kind renewal --output renewal
              tillroll jws verify renewal --root mine/roots.pem

            The payload is a sample, or with --payload the JSON of a file, which is signed byte for byte. Verify JWS of --format \
            xcode with --root mine/xcode-roots.pem.
            """,
        exitCodes: .issuing
    )

    @Option(help: ArgumentHelp("The authority's folder; created if it does not exist.", valueName: "folder"), transform: nonEmptyPath)
    var authority: String

    @Option(help: "The kind of payload: transaction, renewal, notification or app-transaction.")
    var kind = SampleKind.transaction

    @Option(help: "The format: apple (three certificates) or xcode (one certificate).")
    var format = SignedDataFormat.apple

    @Option(help: "The app's bundle ID.")
    var bundleID = SampleApp.bundleID.rawValue

    @Option(help: "The environment: sandbox or xcode (default: sandbox, or xcode with --format xcode).")
    var environment: EnvironmentOption?

    @Option(help: "The signing date, such as 2026-01-31T12:00:00Z (default: now).")
    var date: DateOption?

    @Option(help: ArgumentHelp("A file with the JSON to sign (default: a sample).", valueName: "file"), transform: nonEmptyPath)
    var payload: String?

    @Option(
        help: ArgumentHelp("Bind the data to the device with this AppStore.deviceVerificationID.", valueName: "uuid"),
        transform: { text in
            guard let identifier = UUID(uuidString: text) else { throw ValidationError("\(text) is not a UUID.") }
            return identifier
        }
    )
    var deviceVerificationID: UUID?

    @Option(help: "The number of JWS, one per line, each with different transaction IDs.")
    var count = 1

    @Option(help: ArgumentHelp("The output file (default: standard output).", valueName: "file"), transform: nonEmptyPath)
    var output: String?

    func validate() throws {
        guard (1...1_000_000_000).contains(count) else { throw ValidationError("Invalid --count \(count): give 1 to 1000000000.") }
        if environment == .production { throw ValidationError("Only the App Store signs for production. Give sandbox or xcode.") }
        guard payload == nil || deviceVerificationID == nil else {
            throw ValidationError("--payload is signed unchanged and can't be bound to a device. Leave out one of the two options.")
        }
    }

    func run() async throws {
        StandardStreams.prepare()
        let folder = AuthorityFolder(authority)
        let issuer = try format == .apple ? SignedDataIssuer(authority: folder.authority()) : SignedDataIssuer(xcode: folder.xcode())
        let customPayload = try payload.map { try json(in: $0) }
        var sample = SampleSignedData(
            kind: kind,
            purchases: SamplePurchases(
                bundleID: BundleID(bundleID), environment: environment?.environment ?? (format == .xcode ? .xcode : .sandbox),
                date: date?.timestamp ?? Timestamp(Date())
            )
        )
        var output = try IssuedOutput(path: output)
        for _ in 0..<count {
            var json = try customPayload ?? sample.next(signedBy: issuer)
            if let deviceVerificationID {
                json = SampleSignedData.bindingToDevice(json, DeviceBinding(nonce: UUID(), deviceVerificationID: deviceVerificationID))
            }
            try output.write(Array((try issuer.sign(json: json) + "\n").utf8))
        }
        try output.finish()
    }

    private func json(in path: String) throws -> [UInt8] {
        let bytes = try InputSource(path).read()
        guard bytes.count <= InputSource.maximumSize, JSONReader.read(bytes) != nil else {
            throw ValidationError("\(path) contains no valid JSON. Give one JSON object.")
        }
        return bytes.last == 0x0A ? bytes.dropLast() : bytes
    }
}

/// The formats of JWS that Apple issues.
enum SignedDataFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// The App Store's JWS: a chain of three certificates.
    case apple
    /// The JWS of StoreKit testing in Xcode: one certificate.
    case xcode
}

/// The verifier of JWS, configured by a command's options.
struct SignedDataVerification: Sendable {
    let verifier: SignedDataVerifier

    init(roots: TrustedRoots, revocation: Revocation, _ checks: CheckOptions, _ signedDataChecks: SignedDataCheckOptions) {
        var rest: [any SignedDataCheck] = []
        if let check = checks.bundleCheck { rest.append(check) }
        if let appAppleID = signedDataChecks.appID { rest.append(AppAppleIDCheck(appAppleID)) }
        if let identifier = signedDataChecks.deviceVerificationID { rest.append(DeviceVerificationCheck(identifier)) }
        if let age = checks.maxAge { rest.append(AgeCheck(seconds: age.seconds, clock: SystemWallClock())) }
        verifier = SignedDataVerifier(roots: roots, revocation: revocation, checks.environmentCheck, and: rest)
            .assuming(
                bundleID: signedDataChecks.assumeBundleID.map { BundleID($0) },
                environment: signedDataChecks.assumeEnvironment?.environment)
    }

    /// Verifies a JWS and each JWS that is nested in it, and returns a report.
    ///
    /// - Parameter isExplained: Whether the report contains the verification's steps; the verification then takes several times as long.
    func report(on compact: String, isExplained: Bool) async -> Report {
        let found = isExplained ? await verifier.explainAny(compact) : await verifier.verifyAny(compact)
        let payload = found.payload.flatMap { JSONReader.read($0) }
        let content = JWSReport(kind: found.kind, payload: payload, jws: try? UnverifiedJWS(compact))
        var report = Report(explanation: found.explanation, members: content.members, sections: content.sections)
        if payload != nil {
            report.members.insert(JSONValue.Member("verified", .bool(found.explanation.result == .verified)), at: 1)
        }
        if case .verified(let data) = found.outcome {
            report.members.append(JSONValue.Member("environment", data.environment.map { .string($0.rawValue) } ?? .null))
        }

        var nested: [JSONValue.Member] = []
        for part in NestedJWS.parts(of: payload) {
            let found = await verifier.verifyAny(part.compact)
            let payload = found.payload.flatMap { JSONReader.read($0) }
            let content = JWSReport(kind: found.kind, payload: payload, jws: nil)
            nested.append(JSONValue.Member(part.name, .object(found.explanation.members + content.members)))
            report.sections += content.sections.map { section in
                Report.Section(title: "Nested, \(found.explanation.result.rawValue): \(section.title)", table: section.table)
            }
        }
        if !nested.isEmpty { report.members.append(JSONValue.Member("nested", .object(nested))) }
        return report
    }
}

/// A JWS in a member of a notification's payload, such as a signed transaction.
struct NestedJWS: Hashable, Sendable {
    /// The name of the member that contains the JWS, such as `signedTransactionInfo`.
    let name: String
    let compact: String

    /// Returns the JWS that are nested in a notification's payload; an empty array for other payloads.
    static func parts(of payload: JSONValue?) -> [NestedJWS] {
        [("data", "signedTransactionInfo"), ("data", "signedRenewalInfo"), ("appData", "signedAppTransactionInfo")].compactMap { place in
            payload?[place.0]?[place.1]?.text.map { NestedJWS(name: place.1, compact: $0) }
        }
    }
}

/// Formats a JWS as tables for the text output and as members for the JSON output.
struct JWSReport {
    let kind: SignedDataKind?
    let payload: JSONValue?
    /// The parsed JWS, whose certificates are shown; nil if the JWS can't be parsed, or for a nested JWS.
    let jws: UnverifiedJWS?

    /// The JSON members `kind`, `payload` and, unless ``jws`` is nil, `certificates`.
    var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = [JSONValue.Member("kind", kind.map { .string($0.rawValue) } ?? .null)]
        if let payload { members.append(JSONValue.Member("payload", payload)) }
        if let jws { members.append(JSONValue.Member("certificates", .array(certificates(of: jws).map(\.json)))) }
        return members
    }

    /// The sections of the text output for the payload and, unless ``jws`` is nil, the certificates.
    var sections: [Report.Section] {
        var sections = [
            Report.Section(title: kind?.rawValue.replacing("_", with: " ") ?? "payload of unknown kind", table: table(of: payload))
        ]
        if let jws { sections.append(CertificateSummary.section(certificates(of: jws))) }
        return sections
    }

    private func certificates(of jws: UnverifiedJWS) -> [CertificateSummary] {
        jws.certificates.map(CertificateSummary.init)
    }

    /// Returns a table of an object's members; a nested member is named by its path with dots, such as `data.bundleId`.
    private func table(of value: JSONValue?) -> TextTable {
        var table = TextTable()
        for (name, value) in Self.flattened(value, prefix: "") { table.add(name, Self.shown(name, value)) }
        return table
    }

    private static func flattened(_ value: JSONValue?, prefix: String) -> [(String, JSONValue)] {
        guard case .object(let members) = value else { return [] }
        return members.flatMap { member in
            let name = prefix + member.name
            if case .object(let inner) = member.value, !inner.isEmpty { return flattened(member.value, prefix: "\(name).") }
            return [(name, member.value)]
        }
    }

    /// Returns the text of a member for a table cell: dates in milliseconds and in RFC 3339, long texts and lists shortened.
    private static func shown(_ name: String, _ value: JSONValue) -> String {
        switch value {
        case .string(let text): return TerminalText.shortened(text, to: 80)
        case .number(let digits):
            let isDate = name.hasSuffix("Date") || name.hasSuffix("Timestamp")
            guard isDate, let milliseconds = Double(digits), let whole = Int64(exactly: milliseconds.rounded(.down)),
                (0..<4_102_444_800_000).contains(whole)
            else { return digits }
            return "\(digits)  \(Timestamp(milliseconds: whole))"
        default: return TerminalText.shortened(String(decoding: value.bytes, as: UTF8.self), to: 80)
        }
    }
}
