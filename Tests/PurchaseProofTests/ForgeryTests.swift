import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

/// Tests of the public corpus in `Tests/Forgeries`.
@Suite struct ForgeryTests {
    @Test(arguments: ForgeryCorpus.cases)
    func `every case of the corpus has the expected result`(_ item: ForgeryManifest.Case) async throws {
        let answers = try await ForgeryVerification(ForgeryCorpus()).answers(to: item)
        #expect(answers.verified == ForgeryVerification.Answer(item))
        #expect(answers.explained == ForgeryVerification.Answer(item), "`explain` has the result of `verify`")
    }

    @Test func `the verified-chain cache changes no result`() async throws {
        let corpus = try ForgeryCorpus()
        let verification = try ForgeryVerification(caching: corpus)
        // In this order the genuine chains are in the cache when the forgeries are verified.
        let order = corpus.manifest.cases.sorted { $0.result == .verified && $1.result != .verified }
        for item in order + order.reversed() {
            let answers = try await verification.answers(to: item)
            #expect(answers.verified == ForgeryVerification.Answer(item), "\(item.id)")
        }
    }

    @Test func `the corpus has at least 60 forgeries, and genuine data of every kind`() throws {
        let cases = try ForgeryCorpus().manifest.cases
        #expect(cases.count { $0.result == .refused } >= 60)
        for kind in [ForgeryManifest.Kind.receipt, .transactionReceipt, .jws] {
            #expect(cases.contains { $0.kind == kind && $0.result == .verified })
            #expect(cases.contains { $0.kind == kind && $0.result == .refused })
        }
        #expect(Set(cases.map(\.id)).count == cases.count)
    }

    @Test(arguments: ["receipt-stranger", "jws-stranger"])
    func `data of a foreign root is verified when that root is trusted`(_ id: String) async throws {
        let corpus = try ForgeryCorpus()
        var item = try #require(corpus.manifest.cases.first { $0.id == id })
        var manifest = corpus.manifest
        item.verify.roots = item.verify.roots.map { "strangers-\($0)" }
        for name in item.verify.roots { manifest.roots[name]?.environments = ["Sandbox"] }
        let answers = try await ForgeryVerification(ForgeryCorpus(manifest)).answers(to: item)
        #expect(answers.verified.result == "verified")
    }

    @Test(arguments: reasons)
    func `every reason to refuse has a case`(_ reason: Refusal.Reason) throws {
        let hasCase = try ForgeryCorpus().manifest.cases.contains { $0.result == .refused && $0.reason == reason.code }
        if case .foreignApp = reason {
            // Only production data states an appAppleId, and only Apple's roots are trusted there.
            #expect(!hasCase)
        } else {
            #expect(hasCase)
        }
    }

    @Test(arguments: ["responder_unreachable", "responder_failed", "response_invalid", "no_responder", "certificate_expired"])
    func `every reason for an indeterminate result has a case`(_ code: String) throws {
        #expect(try ForgeryCorpus().manifest.cases.contains { $0.result == .indeterminate && $0.reason == code })
    }

    /// Every reason to refuse.
    ///
    /// The exhaustive `switch` of ``reason(after:)`` makes a new reason a compiler error.
    private static let reasons: [Refusal.Reason] = Array(sequence(first: .malformed) { reason(after: $0) })

    private static func reason(after reason: Refusal.Reason) -> Refusal.Reason? {
        switch reason {
        case .malformed: .missingMember("bundleId")
        case .missingMember: .tooLarge(limit: 1)
        case .tooLarge: .algorithm("none")
        case .algorithm: .signature
        case .signature: .untrustedRoot
        case .untrustedRoot: .chain
        case .chain: .marker
        case .marker: .validity
        case .validity: .revoked
        case .revoked: .foreignBundle(.test)
        case .foreignBundle: .foreignApp(nil)
        case .foreignApp: .foreignVersion("1")
        case .foreignVersion: .foreignEnvironment("Sandbox")
        case .foreignEnvironment: .foreignDevice
        case .foreignDevice: .expired(.testStart)
        case .expired: .tooOld(.testStart)
        case .tooOld, .custom: nil
        }
    }

    @Test func `the manifest names every file once, and the corpus stays below 1.25 MB`() throws {
        let corpus = try ForgeryCorpus()
        var named = ["README.md", "manifest.json", "manifest.schema.json"]
        named += corpus.manifest.roots.values.map(\.file)
        for item in corpus.manifest.cases { named += [item.file] + (item.verify.revocation?.answers.map(\.file) ?? []) }
        #expect(Set(named).count == named.count)
        let folder = ForgeryCorpus.folder
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".") }
        #expect(Set(files) == Set(named))
        #expect(try files.reduce(0) { try $0 + corpus.bytes($1).count } < 1_250_000)
    }
}
