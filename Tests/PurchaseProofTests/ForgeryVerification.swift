import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

/// Verifies the cases of the corpus with the library, as `verify` of each case describes.
struct ForgeryVerification {
    /// The result of a case, with the codes of the manifest.
    struct Answer: Hashable, CustomStringConvertible {
        let result: String
        var reason: String?
        var place: String?

        var description: String { [result, reason, place].compactMap(\.self).joined(separator: " ") }

        init(_ item: ForgeryManifest.Case) {
            (result, reason, place) = (item.result.rawValue, item.reason, item.place)
        }

        init<Value>(_ outcome: VerificationOutcome<Value>) {
            let explanation = VerificationExplanation(outcome)
            (result, reason, place) = (explanation.result.rawValue, explanation.reason, explanation.place)
        }
    }

    private let corpus: ForgeryCorpus
    private let roots: @Sendable ([String]) throws -> TrustedRoots

    /// Creates a verification that uses an empty verified-chain cache for each case.
    init(_ corpus: ForgeryCorpus) {
        self.corpus = corpus
        roots = { try Self.trust($0, corpus) }
    }

    /// Creates a verification whose cases share a verified-chain cache.
    init(caching corpus: ForgeryCorpus) throws {
        var known: [[String]: TrustedRoots] = [:]
        for names in Set(corpus.manifest.cases.map(\.verify.roots)) { known[names] = try Self.trust(names, corpus) }
        self.corpus = corpus
        roots = { [known] names in try known[names] ?? Self.trust(names, corpus) }
    }

    /// Returns the results of a case from `outcome(of:)` and from `explain(_:)`.
    func answers(to item: ForgeryManifest.Case) async throws -> (verified: Answer, explained: Answer) {
        let bytes = try corpus.bytes(item.file)
        switch item.kind {
        case .receipt:
            let verifier = try ReceiptVerifier(
                roots: roots(item.verify.roots), revocation: revocation(item.verify), environmentCheck(item.verify),
                and: receiptChecks(item.verify)
            )
            return (Answer(await verifier.outcome(of: bytes)), Answer(await verifier.explain(bytes).outcome))
        case .transactionReceipt:
            let verifier = try TransactionReceiptVerifier(
                roots: roots(item.verify.roots), bundleID: BundleID(item.verify.bundleID), environments: environments(item.verify)
            )
            return (Answer(verifier.outcome(of: bytes)), Answer(verifier.explain(bytes).outcome))
        case .jws:
            let verifier = try SignedDataVerifier(
                roots: roots(item.verify.roots), revocation: revocation(item.verify), environmentCheck(item.verify),
                and: signedDataChecks(item.verify)
            )
            let compact = String(decoding: bytes, as: UTF8.self)
            switch SignedDataKind(rawValue: item.payload ?? "") {
            case .transaction: return await answers(verifier, SignedTransaction(compact))
            case .renewalInfo: return await answers(verifier, SignedRenewalInfo(compact))
            case .appTransaction: return await answers(verifier, SignedAppTransaction(compact))
            case .realtimeRequest: return await answers(verifier, SignedRealtimeRequest(compact))
            case .notification:
                let signed = SignedNotification(compact)
                return (Answer(await verifier.outcome(of: signed)), Answer(await verifier.explain(signed).outcome))
            case .other, nil: throw NoSuchKind()
            }
        }
    }

    private struct NoSuchKind: Error {}
    private struct NotRecorded: Error {}

    private func answers<Payload: SignedPayload>(_ verifier: SignedDataVerifier, _ signed: Signed<Payload>) async -> (Answer, Answer) {
        (Answer(await verifier.outcome(of: signed)), Answer(await verifier.explain(signed).outcome))
    }

    private static func trust(_ names: [String], _ corpus: ForgeryCorpus) throws -> TrustedRoots {
        var roots = TrustedRoots.apple
        for name in names {
            guard let root = corpus.manifest.roots[name] else { continue }
            let pem = String(decoding: try corpus.bytes(root.file), as: UTF8.self)
            roots = try roots.trusting(pem, in: Set(root.environments.compactMap { AppEnvironment(rawValue: $0) }))
        }
        return roots
    }

    private func environments(_ verify: ForgeryManifest.Verify) -> Set<AppEnvironment> {
        Set(verify.environments.compactMap { AppEnvironment(rawValue: $0) })
    }

    private func environmentCheck(_ verify: ForgeryManifest.Verify) -> EnvironmentCheck {
        EnvironmentCheck(environments(verify))
    }

    private func clock(_ verify: ForgeryManifest.Verify) -> ManualClock? {
        verify.time.flatMap { Timestamp(rfc3339: $0) }.map { ManualClock($0) }
    }

    private func receiptChecks(_ verify: ForgeryManifest.Verify) -> [any ReceiptCheck] {
        var checks: [any ReceiptCheck] = [BundleCheck(BundleID(verify.bundleID))]
        if let version = verify.appVersion { checks.append(VersionCheck(version)) }
        if let device = verify.device { checks.append(DeviceHashCheck(DeviceID(device))) }
        if let clock = clock(verify) {
            checks.append(ExpiryCheck(clock: clock))
            if let age = verify.maximumAge { checks.append(AgeCheck(seconds: age, clock: clock)) }
        }
        return checks
    }

    private func signedDataChecks(_ verify: ForgeryManifest.Verify) -> [any SignedDataCheck] {
        var checks: [any SignedDataCheck] = [BundleCheck(BundleID(verify.bundleID))]
        if let appAppleID = verify.appAppleID { checks.append(AppAppleIDCheck(appAppleID)) }
        if let device = verify.deviceVerificationID.flatMap(UUID.init) { checks.append(DeviceVerificationCheck(device)) }
        if let clock = clock(verify), let age = verify.maximumAge { checks.append(AgeCheck(seconds: age, clock: clock)) }
        return checks
    }

    private func revocation(_ verify: ForgeryManifest.Verify) throws -> Revocation {
        guard let requested = verify.revocation, let clock = clock(verify) else { return .off }
        let checker = RevocationChecker(transport: try RecordedResponses(requested, corpus), clock: clock)
        return requested.mode == "soft" ? .soft(checker) : .hard(checker)
    }

    /// A transport that returns the recorded OCSP responses.
    private struct RecordedResponses: OCSPTransport {
        private let answers: [(serial: [UInt8], answer: [UInt8])]

        init(_ revocation: ForgeryManifest.Revocation, _ corpus: ForgeryCorpus) throws {
            answers = try revocation.answers.map { (Self.bytes($0.serial), try corpus.bytes($0.file)) }
        }

        func response(to request: [UInt8], from address: String) async throws -> [UInt8] {
            // A request contains the certificate's serial number.
            guard let answer = answers.first(where: { request.firstRange(of: $0.serial) != nil }) else { throw NotRecorded() }
            return answer.answer
        }

        private static func bytes(_ hexadecimal: String) -> [UInt8] {
            Hexadecimal.decode(hexadecimal) ?? []
        }
    }
}
