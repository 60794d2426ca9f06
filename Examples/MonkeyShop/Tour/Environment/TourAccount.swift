import PurchaseModel
package import StoreProtocol

/// An account of the tour's store.
package struct TourAccount: Sendable {
    /// The request that creates the account, with its name and password.
    package let request: CreateAccountRequest

    /// The account of the tour's adult customer.
    package static let adult = TourAccount(request: CreateAccountRequest(account: "jane@example.com", password: "ladder"))
    /// The account of a child, with Ask to Buy.
    package static let child = TourAccount(
        request: CreateAccountRequest(account: "kim@example.com", password: "banana", askToBuyEnabled: true))

    static let all = [adult, child]
}
