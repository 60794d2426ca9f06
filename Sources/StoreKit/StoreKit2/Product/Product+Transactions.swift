import OpenStoreKit

extension Product {
    /// The customer's latest transaction of the product; nil when the customer has none.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id, on: origin.activeDevice) }
    }

    /// The latest transaction that currently entitles the customer to the product; nil when there is none.
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async { await Transaction.entitlements(for: id, on: origin.activeDevice).last }
    }

    /// A sequence of the transactions that currently entitle the customer to the product.
    public var currentEntitlements: Transaction.Transactions {
        let (id, device) = (id, origin.activeDevice)
        return Transaction.Transactions(ElementSource { await Transaction.entitlements(for: id, on: device) })
    }
}
