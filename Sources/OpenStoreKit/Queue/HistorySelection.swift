import GRDB
package import PurchaseModel

/// Which of an account's transactions are asked for, so that the signatures of the others need not be verified.
///
/// It may let more through than was meant, because what a row says besides its signed text proves nothing, and may not be known yet:
/// ``TransactionHistory`` decides, by what is verified.
package enum HistorySelection: Hashable, Sendable {
    /// Everything.
    case everything
    /// What StoreKit 2 shows: no consumables that were delivered and kept, unless they are included; of one product, or of all.
    case shown(ProductID?, includesFinishedConsumables: Bool)
    /// What lasts for ever, or for a time that the app knows, and was not taken back; of one product, or of all.
    case owned(ProductID?)
    /// One transaction.
    case transaction(TransactionID)
    /// The periods of the subscriptions of a group.
    case group(SubscriptionGroupID)

    /// The table, and how it is read.
    ///
    /// SQLite would read the whole table instead of the index, because it does not know how long a signed text is.
    var source: SQL {
        switch self {
        case .everything, .transaction: "purchase"
        case .shown, .owned, .group: "purchase INDEXED BY purchaseBySelection"
        }
    }

    /// The rows of the table `purchase`, as the condition of a query.
    var condition: SQL {
        switch self {
        case .everything: "TRUE"
        case .shown(let product, includesFinishedConsumables: true): Self.isOf(product)
        case .shown(let product, includesFinishedConsumables: false):
            "\(Self.isOf(product)) AND NOT (isFinished AND NOT isRevoked AND type = \(ProductType.consumable.rawValue))"
        case .owned(let product):
            """
            \(Self.isOf(product)) AND NOT isRevoked
            AND type IN ('', \(ProductType.nonConsumable.rawValue), \(ProductType.nonRenewing.rawValue))
            """
        case .transaction(let id): "id = \(id.rawValue)"
        case .group(let id):
            "type IN ('', \(ProductType.autoRenewable.rawValue)) AND subscriptionGroup IN ('', \(id.rawValue))"
        }
    }

    /// Whether a transaction may be meant of which nothing is proven but its number.
    func mayMean(_ id: TransactionID) -> Bool {
        if case .transaction(let wanted) = self { id == wanted } else { true }
    }

    private static func isOf(_ product: ProductID?) -> SQL {
        guard let product else { return "TRUE" }
        return "product IN ('', \(product.rawValue))"
    }
}
