import PurchaseModel
import PurchaseProtocol

extension StoreClient {
    /// Performs a request on the subscription that the options identify.
    func act(_ request: SubscriptionRequest, on target: SubscriptionTarget) async throws -> SubscriptionDescription {
        let transaction = try await target.find(in: self)
        return try await call(ControlEndpoints.subscription, request, ["transaction": transaction.rawValue])
    }
}
