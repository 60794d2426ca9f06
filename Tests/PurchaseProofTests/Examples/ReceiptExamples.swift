import PurchaseModel
import PurchaseProof

func receiptVerifier(
    trusting roots: TrustedRoots = .apple, in environments: Set<AppEnvironment> = [.production]
) -> ReceiptVerifier {
    ReceiptVerifier(roots: roots, bundleID: "com.example.monkeyshop", environments: environments)
}

func purchasedProducts(in receipt: [UInt8], by verifier: ReceiptVerifier) async throws(VerificationFailure) -> [ProductID] {
    let verified = try await verifier.verify(receipt)
    return verified.payload.purchases
        .filter { $0.cancellationDate == nil }
        .map(\.productID)
}

func answer(to receipt: [UInt8], by verifier: ReceiptVerifier) async -> String {
    switch await verifier.outcome(of: receipt) {
    case .verified(let receipt): "\(receipt.payload.purchases.count) purchases"
    case .refused(let refusal): "refused: \(refusal.reason.code) at \(refusal.place)"
    case .indeterminate(let indeterminacy): "try again later: \(indeterminacy.reason.code)"
    }
}

func receiptVerifier(
    onDevice identifierForVendor: DeviceID, version: String, trusting roots: TrustedRoots = .apple,
    in environments: Set<AppEnvironment> = [.production, .sandbox]
) -> ReceiptVerifier {
    ReceiptVerifier(
        roots: roots,
        bundleID: "com.example.monkeyshop",
        environments: environments,
        checks: [
            VersionCheck(version),
            DeviceHashCheck(identifierForVendor),
            ExpiryCheck(clock: SystemWallClock()),
        ]
    )
}

func description(ofUnverified receipt: [UInt8]) throws(Refusal) -> String {
    let receipt = try UnverifiedReceipt(receipt)
    let unknown = receipt.payload.unknownAttributes.map { "\($0.type)" }.joined(separator: ", ")
    return "\(receipt.payload.receiptType) for \(receipt.payload.bundleID), \(receipt.digest), unknown attributes: \(unknown)"
}
