import PurchaseModel
package import PurchaseProtocol

/// The accounts of the tour's store.
package struct TourAccount: Sendable {
    /// The request that creates the account.
    package let request: CreateAccountRequest

    /// The tour's customer.
    package static let adult = TourAccount(request: CreateAccountRequest(account: "jane@example.com", password: "ladder"))
    /// A child, whose purchases a parent approves.
    package static let child = TourAccount(
        request: CreateAccountRequest(account: "kim@example.com", password: "banana", askToBuyEnabled: true))

    static let all = [adult, child]
}
