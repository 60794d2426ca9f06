import Foundation
import PurchaseModel
import PurchaseProof

/// Judges the receipts of iOS 6 transactions by the same options as those of apps.
struct TransactionReceiptJudge: Sendable {
    private let roots: TrustedRoots
    private let mustBeAsked: Bool
    private let bundleID: BundleID?
    private let environments: Set<AppEnvironment>
    private let checks: CheckOptions
    private let own: ReceiptCheckOptions

    init(roots: TrustedRoots, revocation: Revocation, _ checks: CheckOptions, _ own: ReceiptCheckOptions) {
        self.roots = roots
        if case .hard = revocation { mustBeAsked = true } else { mustBeAsked = false }
        bundleID = checks.bundleID.map { BundleID($0) }
        environments = checks.environments
        self.checks = checks
        self.own = own
    }

    /// What a receipt is worth, and how that was found out.
    func explain(_ bytes: [UInt8]) -> (judgement: Judgement, explanation: Explanation) {
        let (verdict, explanation) = verifier(for: bytes).explain(bytes)
        return (judgement(verdict), explanation)
    }

    /// What a receipt is worth, and what it proves.
    func judge(_ bytes: [UInt8]) -> (judgement: Judgement, receipt: VerifiedTransactionReceipt?) {
        let verdict = verifier(for: bytes).judge(bytes)
        let judgement = judgement(verdict)
        guard judgement.word == .verified, case .verified(let receipt) = verdict else { return (judgement, nil) }
        return (judgement, receipt)
    }

    /// A verifier that accepts the app in question; the one that the receipt names when nobody said which.
    private func verifier(for bytes: [UInt8]) -> TransactionReceiptVerifier {
        let claimed = bundleID ?? (try? UnverifiedTransactionReceipt(bytes))?.payload.bundleID ?? ""
        return TransactionReceiptVerifier(roots: roots, bundleID: claimed, environments: environments)
    }

    private func judgement(_ verdict: Verdict<VerifiedTransactionReceipt>) -> Judgement {
        guard case .verified(let receipt) = verdict else { return Judgement(verdict) }
        do throws(Refusal) { try examine(receipt.payload) } catch { return Judgement(error) }
        guard !mustBeAsked else {
            return Judgement(
                word: .unknown, reason: "no_responder", place: "signature.certificate",
                sentence: "Whether its certificate was revoked can't be asked: nobody answers for those of iOS 6 any more."
            )
        }
        return .verified
    }

    /// Throws when the receipt does not pass a check that its verifier does not know.
    private func examine(_ payload: TransactionReceiptPayload) throws(Refusal) {
        if let version = own.appVersion, payload.appVersion != version {
            throw Refusal(.foreignVersion(payload.appVersion), at: "purchase-info.bvrs")
        }
        if case .identifier(let uuid) = own.device, payload.uniqueVendorIdentifier?.lowercased() != uuid.uuidString.lowercased() {
            throw Refusal(.foreignDevice, at: "purchase-info.unique-vendor-identifier")
        }
        if case .macAddress = own.device { throw Refusal(.foreignDevice, at: "purchase-info.unique-vendor-identifier") }
        if let age = checks.maxAge, payload.purchaseDate.adding(seconds: age.seconds) < SystemWallClock().now {
            throw Refusal(.tooOld(payload.purchaseDate), at: "purchase-info.purchase-date")
        }
    }
}
