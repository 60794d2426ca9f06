import PurchaseModel
package import PurchaseProtocol

/// The accounts of the tour's store.
package struct StageAccount: Sendable {
    /// The request that creates the account.
    package let request: OpenAccountRequest

    /// The tour's customer.
    package static let grownUp = StageAccount(request: OpenAccountRequest(account: "jane@example.com", password: "ladder"))
    /// A child, whose purchases a parent approves.
    package static let child = StageAccount(request: OpenAccountRequest(account: "kim@example.com", password: "banana", asksToBuy: true))

    static let all = [grownUp, child]
}
