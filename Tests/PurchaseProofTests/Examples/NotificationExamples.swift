import PurchaseModel
import PurchaseProof

func change(
    in signedPayload: String, by verifier: SignedDataVerifier
) async throws(VerificationFailure) -> (id: String, summary: String) {
    let verified = try await verifier.verify(SignedNotification(signedPayload))
    let notification = verified.notification.payload
    let summary =
        switch (notification.type, verified.transaction, verified.renewalInfo) {
        case (.refund, let transaction?, _): "revoke \(transaction.payload.productId)"
        case (.didRenew, let transaction?, let renewal?):
            "extend \(transaction.payload.productId), renews: \(renewal.payload.autoRenew == .on)"
        case (let type?, _, _): "note \(type)"
        case (nil, _, _): "store \(notification.notificationType), which is unknown"
        }
    return (notification.notificationUUID, summary)
}

func status(answering signedPayload: String, by verifier: SignedDataVerifier) async -> Int {
    switch await verifier.outcome(of: SignedNotification(signedPayload)) {
    case .verified: 200
    case .refused: 400
    case .indeterminate: 503
    }
}
