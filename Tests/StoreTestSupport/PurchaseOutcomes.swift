package import PurchaseModel

/// The states of all purchases and the balances of all customers, as an oracle expects them and as a server has them.
package struct PurchaseOutcomes: Equatable, Sendable {
    /// The state of one purchase.
    package struct Purchase: Equatable, Sendable {
        /// The product.
        package var productID: ProductID
        /// The state of the access.
        package var state: Access.State
        /// The end of the access; nil without an end, and without access.
        package var until: Timestamp?
        /// The product to which the subscription renews; nil if it does not renew.
        package var renewsTo: ProductID?

        /// Creates the outcome of a purchase.
        package init(productID: ProductID, state: Access.State, until: Timestamp? = nil, renewsTo: ProductID? = nil) {
            self.productID = productID
            self.state = state
            self.until = until
            self.renewsTo = renewsTo
        }
    }

    /// The purchases by `originalTransactionId`.
    package var purchases: [TransactionID: Purchase] = [:]
    /// The credits of each customer.
    package var balances: [CustomerID: Int64] = [:]
    /// The products to which each customer has access by a purchase of their own.
    package var products: [CustomerID: Set<ProductID>] = [:]
    /// The debits, made between the messages, whose results are wrong.
    package var debitViolations: [String] = []

    /// Creates empty outcomes.
    package init() {}

    /// The differences to the expected outcomes, one per line; empty if the outcomes are equal.
    package func differences(from expected: PurchaseOutcomes) -> [String] {
        var lines: [String] = []
        for id in Set(purchases.keys).union(expected.purchases.keys).sorted() where purchases[id] != expected.purchases[id] {
            lines.append("purchase \(id): \(Self.text(purchases[id])), expected \(Self.text(expected.purchases[id]))")
        }
        for customer in Set(balances.keys).union(expected.balances.keys).sorted()
        where balances[customer, default: 0] != expected.balances[customer, default: 0] {
            lines.append("balance of \(customer): \(balances[customer, default: 0]), expected \(expected.balances[customer, default: 0])")
        }
        for customer in Set(products.keys).union(expected.products.keys).sorted()
        where products[customer, default: []] != expected.products[customer, default: []] {
            lines.append(
                "products of \(customer): \(products[customer, default: []].sorted()), "
                    + "expected \(expected.products[customer, default: []].sorted())")
        }
        if debitViolations != expected.debitViolations { lines += debitViolations }
        return lines
    }

    private static func text(_ purchase: Purchase?) -> String {
        guard let purchase else { return "none" }
        let dates = "\(purchase.until.map { " until \($0)" } ?? "")\(purchase.renewsTo.map { " renews to \($0)" } ?? "")"
        return "\(purchase.productID) \(purchase.state.rawValue)\(dates)"
    }
}

extension PurchaseOutcomes.Purchase {
    /// Creates the outcome of an entitlement at a date.
    package init(_ entitlement: Entitlement, at date: Timestamp) {
        let access = entitlement.access(at: date)
        // Only the end of an access counts.
        self.init(
            productID: entitlement.productID, state: access.state, until: access.isGranted ? access.until : nil,
            renewsTo: access.isGranted ? entitlement.renewsTo : nil)
    }
}
