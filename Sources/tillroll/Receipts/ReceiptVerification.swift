import Foundation
import PurchaseModel
import PurchaseProof

/// The verifiers of app receipts and transaction receipts that a command's options describe.
struct ReceiptVerification: Sendable {
    let appReceipts: ReceiptVerifier
    let transactionReceipts: TransactionReceiptVerifier

    init(roots: TrustedRoots, revocation: Revocation, _ checks: CheckOptions, _ own: ReceiptCheckOptions) {
        let clock = SystemWallClock()
        var appChecks: [any ReceiptCheck] = []
        if let check = checks.bundleCheck { appChecks.append(check) }
        if let version = own.appVersion { appChecks.append(VersionCheck(version)) }
        if let device = own.device { appChecks.append(DeviceHashCheck(guid: device.bytes)) }
        appChecks.append(ExpiryCheck(clock: clock))
        if let age = checks.maxAge { appChecks.append(AgeCheck(seconds: age.seconds, clock: clock)) }
        appReceipts = ReceiptVerifier(roots: roots, revocation: revocation, checks.environmentCheck, and: appChecks)

        var rest: [any TransactionReceiptCheck] = []
        if let version = own.appVersion { rest.append(VersionCheck(version)) }
        if let device = own.device { rest.append(VendorIdentifierCheck(device: device)) }
        if let age = checks.maxAge { rest.append(AgeCheck(seconds: age.seconds, tolerance: 0, clock: clock)) }
        if let first = checks.bundleCheck {
            transactionReceipts = TransactionReceiptVerifier(
                roots: roots, revocation: revocation, first, and: [checks.environmentCheck] + rest)
        } else {
            transactionReceipts = TransactionReceiptVerifier(roots: roots, revocation: revocation, checks.environmentCheck, and: rest)
        }
    }

    /// Verifies a receipt, and shows its content if it can be parsed.
    ///
    /// - Parameter isExplained: Whether the report contains the steps, which takes several times as long.
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

/// Refuses transaction receipts for another device, by `unique-vendor-identifier`.
struct VendorIdentifierCheck: TransactionReceiptCheck {
    let device: DeviceOption

    var name: String { "device" }

    var rule: String { "unique-vendor-identifier is that of the device." }

    func observed(in receipt: AuthenticTransactionReceipt) -> String {
        receipt.payload.uniqueVendorIdentifier ?? "not stated"
    }

    func examine(_ receipt: AuthenticTransactionReceipt) throws(VerificationFailure) {
        guard case .identifier(let uuid) = device,
            receipt.payload.uniqueVendorIdentifier?.lowercased() == uuid.uuidString.lowercased()
        else { throw .refused(Refusal(.foreignDevice, at: "purchase-info.unique-vendor-identifier")) }
    }
}
