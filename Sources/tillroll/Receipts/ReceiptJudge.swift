import PurchaseModel
import PurchaseProof

/// The verifiers of receipts that a command's options ask for: of those of apps, and of those of iOS 6 transactions.
struct ReceiptJudge: Sendable {
    let apps: ReceiptVerifier
    let transactions: TransactionReceiptJudge

    init(roots: TrustedRoots, revocation: Revocation, _ checks: CheckOptions, _ own: ReceiptCheckOptions) {
        var rest: [any ReceiptCheck] = []
        if let check = checks.bundleCheck { rest.append(check) }
        if let version = own.appVersion { rest.append(VersionCheck(version)) }
        if let device = own.device { rest.append(DeviceHashCheck(guid: device.bytes)) }
        rest.append(ExpiryCheck(clock: SystemWallClock()))
        if let age = checks.maxAge { rest.append(AgeCheck(seconds: age.seconds, clock: SystemWallClock())) }
        apps = ReceiptVerifier(roots: roots, revocation: revocation, checks.environmentCheck, rest)
        transactions = TransactionReceiptJudge(roots: roots, revocation: revocation, checks, own)
    }

    /// What a receipt is worth, how that was found out, and what it says as far as it can be read.
    func report(on input: SignedInput) async throws(Refusal) -> Report {
        switch input.content {
        case .receipt(let bytes):
            let (verdict, explanation) = await apps.explain(bytes)
            let shown = (try? UnverifiedReceipt(bytes)).map { ReceiptReport(receipt: $0) }
            return Self.report(Judgement(verdict), explanation, shown?.members, shown?.sections)
        case .transactionReceipt(let bytes):
            let (judgement, explanation) = transactions.explain(bytes)
            let shown = (try? UnverifiedTransactionReceipt(bytes)).map { TransactionReceiptReport(receipt: $0) }
            return Self.report(judgement, explanation, shown?.members, shown?.sections)
        case .compact:
            throw SignedInput.otherCommand("JWS", "jws")
        }
    }

    private static func report(
        _ judgement: Judgement, _ explanation: Explanation, _ members: [JSONValue.Member]?, _ sections: [Report.Section]?
    ) -> Report {
        let proven = JSONValue.Member("proven", .bool(judgement.word == .verified))
        return Report(
            judgement: judgement, members: members.map { [proven] + $0 } ?? [], sections: sections ?? [], explanation: explanation
        )
    }
}
