import ArgumentParser
import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof

/// The commands that verify, inspect and issue receipts.
struct ReceiptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Verify, inspect and issue app receipts and iOS 6 transaction receipts.",
        discussion: """
            `verify` verifies a receipt, `inspect` shows its content without verifying it, `issue` signs receipts for tests.

              tillroll receipt verify receipt --bundle-id com.example.app
              pbpaste | tillroll receipt inspect
            """,
        subcommands: [ReceiptVerifyCommand.self, ReceiptInspectCommand.self, ReceiptIssueCommand.self]
    )
}

/// Verifies an app receipt or an iOS 6 transaction receipt.
struct ReceiptVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify a receipt.",
        discussion: """
            The certificates must chain to Apple's root and must have been valid when the receipt was created. Without options \
            every app, version, device and environment is accepted: state the expected values.

              tillroll receipt verify receipt --bundle-id com.example.app
              echo "$RECEIPT_DATA" | tillroll receipt verify --json | jq .result

            The command detects the format: DER, BER or the property list of an iOS 6 transaction, as bytes, base64, hexadecimal, \
            PEM, or a member such as receipt-data of a JSON object.

            With --json the output is one object: result (verified, refused or indeterminate), reason, place, message, offset, and \
            under receipt the content with the names that verifyReceipt uses. verified is false when the content is not authentic. \
            With --explain the object also has the steps; the verification then takes several times as long.
            """,
        exitCodes: .verification
    )

    @OptionGroup var input: InputArgument
    @OptionGroup(title: "Output") var report: ReportOptions
    @Flag(help: "Show each step of the verification: its name, the observed value, the rule and the outcome.")
    var explain = false
    @OptionGroup(title: "Checks") var checks: CheckOptions
    @OptionGroup(title: "Checks") var ownChecks: ReceiptCheckOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions

    func run() async throws {
        StandardStreams.prepare()
        let verification = ReceiptVerifiers(roots: try trust.roots(), revocation: trust.revocationRule(), checks, ownChecks)
        let bytes = try input.source.read()
        let output: Report
        do throws(Refusal) {
            output = try await verification.report(on: SignedInput(bytes), isExplained: explain)
        } catch { output = Report(explanation: VerificationExplanation(error)) }
        trust.advise(on: output)
        try output.deliver(asJSON: report.json)
    }
}

/// Shows the content of a receipt without verifying it.
struct ReceiptInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show the content of a receipt without verifying it.",
        discussion: """
            The output contains every attribute, including attributes of unknown meaning, and the certificates. The content is \
            not verified; use `tillroll receipt verify` for verification.
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
        var members: [JSONValue.Member] = [
            JSONValue.Member("result", .null), JSONValue.Member("verified", false),
            JSONValue.Member("encodings", .array(input.encodings.map { .string($0) })),
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

/// The verifiers of app receipts and transaction receipts, configured by a command's options.
struct ReceiptVerifiers: Sendable {
    let appReceipts: ReceiptVerifier
    let transactionReceipts: TransactionReceiptVerifier

    init(roots: TrustedRoots, revocation: Revocation, _ checks: CheckOptions, _ receiptChecks: ReceiptCheckOptions) {
        let clock = SystemWallClock()
        var appChecks: [any ReceiptCheck] = []
        if let check = checks.bundleCheck { appChecks.append(check) }
        if let version = receiptChecks.appVersion { appChecks.append(VersionCheck(version)) }
        if let device = receiptChecks.device { appChecks.append(DeviceHashCheck(guid: device.bytes)) }
        appChecks.append(ExpiryCheck(clock: clock))
        if let age = checks.maxAge { appChecks.append(AgeCheck(seconds: age.seconds, clock: clock)) }
        appReceipts = ReceiptVerifier(roots: roots, revocation: revocation, checks.environmentCheck, and: appChecks)

        var rest: [any TransactionReceiptCheck] = []
        if let version = receiptChecks.appVersion { rest.append(VersionCheck(version)) }
        if let device = receiptChecks.device { rest.append(VendorIdentifierCheck(device: device)) }
        if let age = checks.maxAge { rest.append(AgeCheck(seconds: age.seconds, tolerance: 0, clock: clock)) }
        if let first = checks.bundleCheck {
            transactionReceipts = TransactionReceiptVerifier(
                roots: roots, revocation: revocation, first, and: [checks.environmentCheck] + rest)
        } else {
            transactionReceipts = TransactionReceiptVerifier(roots: roots, revocation: revocation, checks.environmentCheck, and: rest)
        }
    }

    /// Verifies a receipt and returns a report, with the receipt's content if it can be parsed.
    ///
    /// - Parameter isExplained: Whether the report contains the verification's steps; the verification then takes several times as long.
    func report(on input: SignedInput, isExplained: Bool) async throws(Refusal) -> Report {
        switch input.content {
        case .receipt(let bytes):
            let explanation =
                isExplained
                ? await appReceipts.explain(bytes).explanation : VerificationExplanation(await appReceipts.outcome(of: bytes))
            let content = (try? UnverifiedReceipt(bytes)).map { ReceiptReport(receipt: $0) }
            return Self.report(explanation, content?.members, content?.sections)
        case .transactionReceipt(let bytes):
            let explanation =
                isExplained
                ? transactionReceipts.explain(bytes).explanation : VerificationExplanation(transactionReceipts.outcome(of: bytes))
            let content = (try? UnverifiedTransactionReceipt(bytes)).map { TransactionReceiptReport(receipt: $0) }
            return Self.report(explanation, content?.members, content?.sections)
        case .compact:
            throw SignedInput.otherCommand("JWS", "jws")
        }
    }

    private static func report(
        _ explanation: VerificationExplanation, _ members: [JSONValue.Member]?, _ sections: [Report.Section]?
    ) -> Report {
        let isVerified = JSONValue.Member("verified", .bool(explanation.result == .verified))
        return Report(explanation: explanation, members: members.map { [isVerified] + $0 } ?? [], sections: sections ?? [])
    }
}

/// A check that refuses transaction receipts whose `unique-vendor-identifier` is not the expected device's.
struct VendorIdentifierCheck: TransactionReceiptCheck {
    let device: DeviceOption

    var name: String { "device" }

    var rule: String { "unique-vendor-identifier matches the device." }

    func observed(in receipt: AuthenticTransactionReceipt) -> String {
        receipt.payload.uniqueVendorIdentifier ?? "absent"
    }

    func examine(_ receipt: AuthenticTransactionReceipt) throws(VerificationFailure) {
        guard case .identifier(let uuid) = device,
            receipt.payload.uniqueVendorIdentifier?.lowercased() == uuid.uuidString.lowercased()
        else { throw .refused(Refusal(.foreignDevice, at: "purchase-info.unique-vendor-identifier")) }
    }
}

/// Formats an app receipt as tables for the text output and as members for the JSON output.
struct ReceiptReport {
    let receipt: UnverifiedReceipt

    private var payload: ReceiptPayload { receipt.payload }

    /// The JSON members for the receipt, with the names of a response of `verifyReceipt`, and for its certificates.
    var members: [JSONValue.Member] {
        let body = (try? WireJSON.encode(VerifyReceiptBody(receipt: payload))).flatMap { JSONReader.read(Array($0)) }
        return [
            JSONValue.Member("kind", "receipt"), JSONValue.Member("receipt", body ?? .null),
            JSONValue.Member("certificates", .array(certificates.map(\.json))),
        ]
    }

    /// The JSON members for the receipt's encoding and for every attribute, which `receipt inspect` adds.
    var details: [JSONValue.Member] {
        [
            JSONValue.Member("encoding", .string(receipt.isDER ? "DER" : "BER")), JSONValue.Member("digest", .string(receipt.digest)),
            JSONValue.Member("signatureAlgorithm", .string(receipt.signatureAlgorithm)), JSONValue.Member("size", .number(receipt.size)),
            JSONValue.Member("attributes", .array(appAttributes.map(\.json))),
            JSONValue.Member("purchases", .array(payload.purchases.map { .array($0.attributes.map(\.json)) })),
        ]
    }

    private var appAttributes: [ReceiptAttribute] {
        payload.attributes.filter { $0.type != ReceiptField.purchase.rawValue }
    }

    private var certificates: [CertificateSummary] { receipt.certificates.map(CertificateSummary.init) }

    /// The sections of the text output: app, purchases, certificates.
    var sections: [Report.Section] {
        [app, purchases, CertificateSummary.section(certificates)]
    }

    private var app: Report.Section {
        var table = TextTable()
        table.add("receipt type", payload.receiptType)
        table.add("created", payload.creationDate.description)
        table.add("appAppleId", payload.appAppleID.map { "\($0)" })
        table.add("first purchased", payload.originalPurchaseDate?.description)
        table.add("first version", payload.originalAppVersion)
        table.add("preordered", payload.preorderDate?.description)
        table.add("valid until", payload.expirationDate?.description)
        table.add("organization", payload.organization)
        table.add("encoding", "\(receipt.isDER ? "DER" : "BER"), \(receipt.size) bytes")
        table.add("signature", "\(receipt.digest), \(receipt.signatureAlgorithm)")
        return Report.Section(title: "\(payload.bundleID) \(payload.appVersion)", table: table)
    }

    private var purchases: Report.Section {
        var table = TextTable(["product", "quantity", "transaction", "original", "purchased", "expires", "canceled"])
        for purchase in payload.purchases {
            table.add([
                purchase.productID.rawValue, "\(purchase.quantity)", purchase.transactionID.rawValue,
                purchase.originalTransactionID == purchase.transactionID ? "same" : purchase.originalTransactionID.rawValue,
                purchase.purchaseDate.description, purchase.expiresDate?.description ?? "-",
                purchase.cancellationDate?.description ?? "-",
            ])
        }
        let count = payload.purchases.count
        return Report.Section(title: count == 1 ? "1 purchase" : "\(count) purchases", table: table)
    }

    /// The section of the text output with every attribute of the app, and the purchases' attributes of unknown meaning.
    var attributes: Report.Section {
        var table = TextTable(["number", "meaning", "value"])
        for attribute in appAttributes {
            table.add(["\(attribute.type)", attribute.meaning, TerminalText.shortened(attribute.shown, to: 100)])
        }
        for (index, purchase) in payload.purchases.enumerated() {
            for attribute in purchase.unknownAttributes where !attribute.isEmpty {
                table.add(["17[\(index)].\(attribute.type)", attribute.meaning, TerminalText.shortened(attribute.shown, to: 100)])
            }
        }
        return Report.Section(title: "Attributes", table: table)
    }
}

extension ReceiptAttribute {
    /// The meaning of the attribute's type as a word, such as `bundleID`; `unknown` for an undocumented type.
    var meaning: String {
        guard let field = ReceiptField(rawValue: type) else { return "unknown" }
        let name = "\(field)"
        return name.hasPrefix("unknown") ? "unknown" : name
    }

    /// Whether the attribute's value has no octets or is an empty text.
    var isEmpty: Bool {
        octets.isEmpty || text?.isEmpty == true
    }

    /// The attribute's value for a terminal: a text, a number, or hexadecimal digits for any other value.
    var shown: String {
        if isEmpty { return "(empty)" }
        return text ?? integer.map { "\($0)" } ?? Hexadecimal.encode(octets)
    }

    /// The attribute as JSON: type, version, meaning, the value as text or integer if possible, and the octets.
    var json: JSONValue {
        var members = [
            JSONValue.Member("type", .number(type)), JSONValue.Member("version", .number(version)),
            JSONValue.Member("meaning", .string(meaning)),
        ]
        if let text { members.append(JSONValue.Member("text", .string(text))) }
        if let integer { members.append(JSONValue.Member("integer", .number(integer))) }
        return .object(members + [JSONValue.Member("hex", .string(Hexadecimal.encode(octets)))])
    }
}

/// Formats an iOS 6 transaction receipt as tables for the text output and as members for the JSON output.
struct TransactionReceiptReport {
    let receipt: UnverifiedTransactionReceipt

    /// The JSON members for the receipt, with the names of a response of `verifyReceipt`, and for its certificate.
    var members: [JSONValue.Member] {
        [
            JSONValue.Member("kind", "transaction_receipt"),
            JSONValue.Member(
                "receipt",
                // Replace hyphens with underscores, as in the names of `verifyReceipt`.
                .object(receipt.payload.entries.map { JSONValue.Member($0.name.replacing("-", with: "_"), .string($0.value)) })
            ),
            JSONValue.Member("certificates", .array([CertificateSummary(receipt.certificate).json])),
        ]
    }

    /// The JSON members that `receipt inspect` adds: the signature, and the entries that the signature does not cover.
    var signature: [JSONValue.Member] {
        [
            JSONValue.Member("signatureVersion", .number(receipt.signatureVersion)), JSONValue.Member("digest", .string(receipt.digest)),
            JSONValue.Member(
                "unsigned",
                .object(
                    receipt.entries.filter { $0.name != "purchase-info" && $0.name != "signature" }
                        .map { JSONValue.Member($0.name, .string($0.value)) }
                )
            ),
        ]
    }

    /// The sections of the text output: the receipt's entries and its certificate.
    var sections: [Report.Section] {
        var table = TextTable()
        for entry in receipt.payload.entries { table.add(entry.name, entry.value) }
        table.add("environment (not signed)", receipt.claimedEnvironment.rawValue)
        table.add("signature", "version \(receipt.signatureVersion), \(receipt.digest)")
        return [
            Report.Section(title: "\(receipt.payload.productID) of \(receipt.payload.bundleID)", table: table),
            CertificateSummary.section([CertificateSummary(receipt.certificate)]),
        ]
    }
}
