import GRDB
package import PurchaseModel

/// A filter on an account's transactions, so that the signatures of the other transactions need not be verified.
///
/// The filter may let additional transactions through, because the columns of a row are unsigned and may not be filled yet.
/// ``TransactionHistory`` makes the final selection from verified data.
package enum HistorySelection: Hashable, Sendable {
    /// All transactions.
    case everything
    /// The transactions that StoreKit 2 shows, of one product or of all; finished, unrevoked consumables are left out unless included.
    case shown(ProductID?, includesFinishedConsumables: Bool)
    /// Unrevoked purchases that never expire or whose duration the app knows, of one product or of all.
    case owned(ProductID?)
    /// One transaction.
    case transaction(TransactionID)
    /// The periods of the subscriptions in a group.
    case group(SubscriptionGroupID)

    /// The table of the query, with the index to use.
    ///
    /// SQLite would scan the whole table instead of the index, because SQLite does not know how long a signed text is.
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

    /// Whether a transaction may match the filter, when only its identifier is known.
    func mayMatch(_ id: TransactionID) -> Bool {
        if case .transaction(let wanted) = self { id == wanted } else { true }
    }

    private static func productCondition(_ product: ProductID?) -> SQL {
        guard let product else { return "TRUE" }
        return "product IN ('', \(product.rawValue))"
    }
}
