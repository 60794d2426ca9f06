import ArgumentParser
import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import tillroll

/// Tests of the command with the public corpus in `Tests/Forgeries`.
@Suite struct ForgeryCommandTests {
    /// The cases in which the command's result differs from the library's.
    private static let exceptions: [String: (code: Int32, reason: String?)] = [
        // The command detects the kind of its input, and refuses unknown kinds at `input`.
        "receipt-empty-file": (1, "malformed"),
        "receipt-not-a-receipt": (1, "malformed"),
        "jws-json-serialization": (1, "malformed"),
        // The command accepts line breaks and spaces, which terminals and mail programs insert.
        "jws-line-break": (0, nil),
        "jws-space-inside": (0, nil),
        // No kind was requested.
        "jws-renewal-info-as-transaction": (0, nil),
        // Roots from `--root` are trusted in all environments except production.
        "receipt-xcode-claims-sandbox": (1, "chain"),
        "jws-local-testing": (1, "foreign_environment"),
    ]

    /// The cases that need neither a fixed time nor an OCSP responder.
    private static let cases = ForgeryCorpus.cases.filter { $0.verify.time == nil && $0.verify.revocation == nil }

    /// One case of each kind and result, the exceptions, and what the command refuses before it verifies: the other cases run in the process
    /// of the tests, below.
    private static let casesOfProcesses: [ForgeryManifest.Case] = {
        var seen: Set<[String?]> = []
        return cases.filter {
            exceptions[$0.id] != nil || !isVerified($0)
                || seen.insert([$0.kind.rawValue, $0.result.rawValue, $0.reason, $0.place]).inserted
        }
    }()

    /// Whether a case's input has the form of its kind, so that there is a report of its verification.
    private static func isVerified(_ item: ForgeryManifest.Case) -> Bool {
        guard let input = try? SignedInput(ForgeryCorpus().bytes(item.file)) else { return false }
        if item.kind == .jws { return (try? input.compact) != nil }
        if case .compact = input.content { return false }
        return true
    }

    @Test(arguments: casesOfProcesses)
    func `the command exits and prints as the library's result says`(_ item: ForgeryManifest.Case) async throws {
        let outcome = try await CommandFolder.with { command in
            try await command.run(Self.arguments(item), input: Data(ForgeryCorpus().bytes(item.file)))
        }
        let code: Int32 =
            switch item.result {
            case .verified: 0
            case .refused: 1
            case .indeterminate: 2
            }
        if let other = Self.exceptions[item.id] {
            #expect(outcome.code == other.code && outcome.reason == other.reason, "\(outcome.text)")
        } else {
            #expect(outcome.code == code && outcome.result == item.result.rawValue, "\(outcome.text)")
            #expect(outcome.reason == item.reason && outcome.place == item.place)
        }
    }

    @Test func `every forgery has the library's result, and the same report with and without --explain, which adds the steps`() async throws
    {
        for item in Self.cases where Self.isVerified(item) {
            let input = try SignedInput(ForgeryCorpus().bytes(item.file))
            let arguments = try Array(Self.arguments(item).dropFirst(2))
            let reports: [Report]
            if item.kind == .jws {
                let command = try JWSVerifyCommand.parse(arguments)
                let roots = try command.trust.roots()
                let verification = SignedDataVerification(roots: roots, revocation: .off, command.checks, command.ownChecks)
                let compact = try input.compact
                // The first report fills the verified-chain cache for the others.
                reports = [
                    await verification.report(on: compact, isExplained: true), await verification.report(on: compact, isExplained: false),
                    await verification.report(on: compact, isExplained: false),
                ]
            } else {
                let command = try ReceiptVerifyCommand.parse(arguments)
                let roots = try command.trust.roots()
                let verification = ReceiptVerifiers(roots: roots, revocation: .off, command.checks, command.ownChecks)
                reports = [
                    try await verification.report(on: input, isExplained: true),
                    try await verification.report(on: input, isExplained: false),
                    try await verification.report(on: input, isExplained: false),
                ]
            }
            let explanation = try #require(reports[0].explanation)
            if let other = Self.exceptions[item.id] {
                #expect(explanation.result.exitCode.rawValue == other.code && explanation.reason == other.reason, "\(item.id)")
            } else {
                #expect(explanation.result.rawValue == item.result.rawValue, "\(item.id)")
                #expect(explanation.reason == item.reason && explanation.place == item.place, "\(item.id)")
            }
            #expect(!explanation.steps.isEmpty, "\(item.id)")
            for report in reports.dropFirst() {
                #expect(report.explanation?.steps.isEmpty == true, "\(item.id)")
                #expect(report.explanation?.members == reports[0].explanation?.members, "\(item.id)")
                #expect(report.members == reports[0].members, "\(item.id)")
            }
        }
    }

    @Test func `the corpus has cases, and every exception names one`() {
        #expect(Self.cases.count > 200)
        #expect(Set(Self.exceptions.keys).isSubset(of: Self.cases.map(\.id)))
    }

    private static func arguments(_ item: ForgeryManifest.Case) throws -> [String] {
        let manifest = try ForgeryCorpus().manifest
        let verify = item.verify
        var arguments = [item.kind == .jws ? "jws" : "receipt", "verify", "--json", "--bundle-id", verify.bundleID]
        for name in verify.roots {
            let file = try #require(manifest.roots[name]).file
            arguments += ["--root", ForgeryCorpus.folder.appending(path: file).path]
        }
        for environment in verify.environments { arguments += ["--environment", environment.lowercased()] }
        if let number = verify.appAppleID, item.kind == .jws { arguments += ["--app-id", "\(number)"] }
        if let version = verify.appVersion { arguments += ["--app-version", version] }
        if let device = verify.device { arguments += ["--device", device] }
        if let device = verify.deviceVerificationID { arguments += ["--device-verification-id", device] }
        return arguments
    }
}
