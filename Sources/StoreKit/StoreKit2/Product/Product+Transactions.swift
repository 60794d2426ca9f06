import OpenStoreKit

extension Product {
    /// The newest transaction of the product; nil when it was never bought.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id, on: origin.serving) }
    }

    /// The transaction by which the customer may use the product now; nil when the customer may not.
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async { await Transaction.entitlements(for: id, on: origin.serving).last }
    }

    /// The transactions by which the customer may use the product now.
    public var currentEntitlements: Transaction.Transactions {
        let (id, device) = (id, origin.serving)
        return Transaction.Transactions(Supply { await Transaction.entitlements(for: id, on: device) })
    }
}
