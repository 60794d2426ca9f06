import PurchaseProof

/// The verifiers of receipts that a command's options ask for.
struct ReceiptJudge: Sendable {
    let receipts: ReceiptVerifier

    init(_ trust: TrustOptions, _ checks: ReceiptCheckOptions) throws {
        let (first, rest) = checks.checks
        receipts = ReceiptVerifier(roots: try trust.roots(), revocation: try trust.revocation(), first, rest)
    }
}
