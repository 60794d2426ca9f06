import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// The public corpus in `Tests/Forgeries`, through the command.
@Suite struct ForgeryCommandTests {
    /// What the command says otherwise than the library.
    private static let otherwise: [String: (code: Int32, reason: String?)] = [
        // It finds out by itself what it is given, and says at `input` that it is nothing that it knows.
        "receipt-empty-file": (1, "malformed"),
        "receipt-not-a-receipt": (1, "malformed"),
        "jws-json-serialisation": (1, "malformed"),
        // People paste what terminals and mail have broken into lines.
        "jws-line-break": (0, nil),
        "jws-space-inside": (0, nil),
        // Nobody said which kind was expected.
        "jws-renewal-info-as-transaction": (0, nil),
        // Roots that are named to it count everywhere but in production.
        "receipt-xcode-claims-sandbox": (1, "chain"),
        "jws-local-testing": (1, "foreign_environment"),
    ]

    /// The cases that need no clock and no responder but the machine's.
    private static let cases = ForgeryCorpus.cases.filter { $0.verify.time == nil && $0.verify.revocation == nil }

    @Test(arguments: cases)
    func `the command says of every forgery what the library says`(_ item: ForgeryManifest.Case) async throws {
        let outcome = try await CommandFolder.with { command in
            try await command.run(Self.arguments(item), input: Data(ForgeryCorpus().bytes(item.file)))
        }
        let code: Int32 =
            switch item.verdict {
            case .verified: 0
            case .refused: 1
            case .unknown: 2
            }
        if let other = Self.otherwise[item.id] {
            #expect(outcome.code == other.code && outcome.reason == other.reason, "\(outcome.text)")
        } else {
            #expect(outcome.code == code && outcome.verdict == item.verdict.rawValue, "\(outcome.text)")
            #expect(outcome.reason == item.reason && outcome.place == item.place)
        }
    }

    @Test func `there are cases, and exceptions are of them`() {
        #expect(Self.cases.count > 200)
        #expect(Set(Self.otherwise.keys).isSubset(of: Self.cases.map(\.id)))
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
