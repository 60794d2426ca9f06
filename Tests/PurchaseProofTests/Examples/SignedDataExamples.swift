import Foundation
import PurchaseModel
import PurchaseProof

func signedDataVerifier(
    trusting roots: TrustedRoots = .apple, in environments: Set<AppEnvironment> = [.production, .sandbox]
) -> SignedDataVerifier {
    SignedDataVerifier(roots: roots, bundleID: "com.example.monkeyshop", environments: environments)
}

func product(boughtIn compact: String, by verifier: SignedDataVerifier) async throws(Unproven) -> ProductID? {
    let transaction = try await verifier.verify(SignedTransaction(compact))
    return transaction.payload.isRevoked ? nil : transaction.payload.productId
}

func willRenew(
    _ compact: String, subscriptionOf transaction: VerifiedTransaction, by verifier: SignedDataVerifier
) async throws(Unproven) -> Bool {
    let renewal = try await verifier.verify(SignedRenewalInfo(compact)).payload
    guard renewal.originalTransactionId == transaction.payload.originalTransactionId else { return false }
    return renewal.renewal == .on
}

func firstVersion(
    statedBy compact: String, appNumber: Int64, deviceVerificationID: UUID, trusting roots: TrustedRoots = .apple,
    in environments: Set<AppEnvironment> = [.production]
) async throws(Unproven) -> String? {
    let verifier = SignedDataVerifier(
        roots: roots,
        BundleCheck("com.example.monkeyshop"),
        EnvironmentCheck(environments),
        AppNumberCheck(appNumber),
        DeviceVerificationCheck(deviceVerificationID)
    )
    let app = try await verifier.verify(SignedAppTransaction(compact))
    return app.payload.originalApplicationVersion
}

func subscription(
    askedAboutIn compact: String, appNumber: Int64, clock: any WallClock = SystemWallClock(), trusting roots: TrustedRoots = .apple,
    in environments: Set<AppEnvironment> = [.production]
) async throws(Unproven) -> TransactionID {
    let verifier = SignedDataVerifier(
        roots: roots, AppNumberCheck(appNumber), EnvironmentCheck(environments), AgeCheck(seconds: 300, clock: clock)
    )
    let request = try await verifier.verify(SignedRealtimeRequest(compact))
    return request.payload.originalTransactionId
}

func title(of compact: String, by verifier: SignedDataVerifier) async -> String {
    switch await verifier.judgeAny(compact).verdict {
    case .verified(.transaction(let transaction)): "transaction \(transaction.payload.transactionId)"
    case .verified(.renewalInfo(let renewal)): "renewal of \(renewal.payload.originalTransactionId)"
    case .verified(.appTransaction(let app)): "app \(app.payload.bundleId)"
    case .verified(.notification(let notification)): "notification \(notification.notification.payload.notificationType)"
    case .verified(.realtimeRequest(let request)): "question about \(request.payload.productId)"
    case .verified(.other(let other)): "something new, signed \(other.payload.signedDate)"
    case .refused(let refusal): refusal.sentence
    case .unknown(let doubt): doubt.sentence
    }
}
