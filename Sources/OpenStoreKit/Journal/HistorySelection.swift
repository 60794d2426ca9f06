import GRDB
package import PurchaseModel

/// A filter on an account's stored transactions, so that the signatures of the other transactions need not be verified.
///
/// The filter reads unsigned columns, which may be empty, and may therefore let additional transactions through. `TransactionHistory` makes
/// the final selection from verified data.
package enum HistorySelection: Hashable, Sendable {
    /// All transactions.
    case everything
    /// The transactions of one product, or of all products for nil, without finished consumables unless they are revoked or included.
    case shown(ProductID?, includesFinishedConsumables: Bool)
    /// The unrevoked purchases of non-consumables and non-renewing subscriptions, of one product, or of all products for nil.
    case owned(ProductID?)
    /// The transaction with this identifier.
    case transaction(TransactionID)
    /// The transactions of the subscriptions in a group.
    case group(SubscriptionGroupID)

    /// The table of the query in SQL, with the index that SQLite has to use.
    ///
    /// SQLite would scan the table instead of the index, because SQLite does not know that the column `signed` contains long texts.
    var source: SQL {
        switch self {
        case .everything, .transaction: "purchase"
        case .shown, .owned, .group: "purchase INDEXED BY purchaseBySelection"
        }
    }

    /// The condition of a query that selects rows of the table `purchase`.
    var condition: SQL {
        switch self {
        case .everything: "TRUE"
        case .shown(let product, includesFinishedConsumables: true): Self.productCondition(product)
        case .shown(let product, includesFinishedConsumables: false):
            "\(Self.productCondition(product)) AND NOT (isFinished AND NOT isRevoked AND type = \(ProductType.consumable.rawValue))"
        case .owned(let product):
            """
            \(Self.productCondition(product)) AND NOT isRevoked
            AND type IN ('', \(ProductType.nonConsumable.rawValue), \(ProductType.nonRenewing.rawValue))
            """
        case .transaction(let id): "id = \(id.rawValue)"
        case .group(let id):
            "type IN ('', \(ProductType.autoRenewable.rawValue)) AND subscriptionGroup IN ('', \(id.rawValue))"
        }
    }

    /// Returns whether a transaction may match the filter, if only its identifier is known.
    func mayMatch(_ id: TransactionID) -> Bool {
        if case .transaction(let wanted) = self { id == wanted } else { true }
    }

    private static func productCondition(_ product: ProductID?) -> SQL {
        guard let product else { return "TRUE" }
        return "product IN ('', \(product.rawValue))"
    }
}
