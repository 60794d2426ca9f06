import Foundation
import PurchaseModel
import PurchaseProof

func signedDataVerifier(
    trusting roots: TrustedRoots = .apple, in environments: Set<AppEnvironment> = [.production, .sandbox]
) -> SignedDataVerifier {
    SignedDataVerifier(roots: roots, bundleID: "com.example.monkeyshop", environments: environments)
}

func purchasedProduct(in compact: String, by verifier: SignedDataVerifier) async throws(VerificationFailure) -> ProductID? {
    let transaction = try await verifier.verify(SignedTransaction(compact))
    return transaction.payload.isRevoked ? nil : transaction.payload.productId
}

func willRenew(
    _ compact: String, subscriptionOf transaction: VerifiedTransaction, by verifier: SignedDataVerifier
) async throws(VerificationFailure) -> Bool {
    let renewal = try await verifier.verify(SignedRenewalInfo(compact)).payload
    guard renewal.originalTransactionId == transaction.payload.originalTransactionId else { return false }
    return renewal.autoRenew == .on
}

func originalVersion(
    in compact: String, appAppleID: Int64, deviceVerificationID: UUID, trusting roots: TrustedRoots = .apple,
    in environments: Set<AppEnvironment> = [.production]
) async throws(VerificationFailure) -> String? {
    let verifier = SignedDataVerifier(
        roots: roots,
        bundleID: "com.example.monkeyshop",
        environments: environments,
        checks: [AppAppleIDCheck(appAppleID), DeviceVerificationCheck(deviceVerificationID)]
    )
    let app = try await verifier.verify(SignedAppTransaction(compact))
    return app.payload.originalApplicationVersion
}

func requestedSubscription(
    in compact: String, appAppleID: Int64, clock: any WallClock = SystemWallClock(), trusting roots: TrustedRoots = .apple,
    in environments: Set<AppEnvironment> = [.production]
) async throws(VerificationFailure) -> TransactionID {
    let verifier = SignedDataVerifier(
        roots: roots, AppAppleIDCheck(appAppleID), EnvironmentCheck(environments), AgeCheck(seconds: 300, clock: clock)
    )
    let request = try await verifier.verify(SignedRealtimeRequest(compact))
    return request.payload.originalTransactionId
}

func title(of compact: String, by verifier: SignedDataVerifier) async -> String {
    switch await verifier.verifyAny(compact).outcome {
    case .verified(.transaction(let transaction)): "transaction \(transaction.payload.transactionId)"
    case .verified(.renewalInfo(let renewal)): "renewal of \(renewal.payload.originalTransactionId)"
    case .verified(.appTransaction(let app)): "app \(app.payload.bundleId)"
    case .verified(.notification(let notification)): "notification \(notification.notification.payload.notificationType)"
    case .verified(.realtimeRequest(let request)): "request about \(request.payload.productId)"
    case .verified(.other(let other)): "other data, signed \(other.payload.signedDate)"
    case .refused(let refusal): refusal.message
    case .indeterminate(let indeterminacy): indeterminacy.message
    }
}
