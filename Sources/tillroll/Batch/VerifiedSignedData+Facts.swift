import PurchaseModel
import PurchaseProof

extension VerifiedSignedData {
    /// The members that describe the signed data in a line of results.
    var facts: [JSONValue.Member] {
        switch self {
        case .transaction(let transaction):
            [
                JSONValue.Member("kind", .string(SignedDataKind.transaction.rawValue)),
                JSONValue.Member("bundleId", .string(transaction.payload.bundleId.rawValue)),
                JSONValue.Member("transactionId", .string(transaction.payload.transactionId.rawValue)),
                JSONValue.Member("productId", .string(transaction.payload.productId.rawValue)),
            ]
        case .renewalInfo(let renewal):
            [
                JSONValue.Member("kind", .string(SignedDataKind.renewalInfo.rawValue)),
                JSONValue.Member("originalTransactionId", .string(renewal.payload.originalTransactionId.rawValue)),
                JSONValue.Member("productId", .string(renewal.payload.productId?.rawValue ?? "")),
            ]
        case .appTransaction(let app):
            [
                JSONValue.Member("kind", .string(SignedDataKind.appTransaction.rawValue)),
                JSONValue.Member("bundleId", .string(app.payload.bundleId.rawValue)),
            ]
        case .notification(let notification):
            [
                JSONValue.Member("kind", .string(SignedDataKind.notification.rawValue)),
                JSONValue.Member("notificationType", .string(notification.notification.payload.notificationType)),
                JSONValue.Member("notificationUUID", .string(notification.notification.payload.notificationUUID)),
            ]
        case .realtimeRequest(let request):
            [
                JSONValue.Member("kind", .string(SignedDataKind.realtimeRequest.rawValue)),
                JSONValue.Member("productId", .string(request.payload.productId.rawValue)),
            ]
        case .other:
            [JSONValue.Member("kind", .string(SignedDataKind.other.rawValue))]
        }
    }
}
