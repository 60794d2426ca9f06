import PurchaseModel
import PurchaseProtocol

extension StoreClient {
    /// Does something with the subscription that is meant.
    func act(_ request: SubscriptionRequest, on target: SubscriptionTarget) async throws -> SubscriptionDescription {
        let transaction = try await target.find(in: self)
        return try await call(ControlEndpoints.subscription, request, ["transaction": transaction.rawValue])
    }
}
