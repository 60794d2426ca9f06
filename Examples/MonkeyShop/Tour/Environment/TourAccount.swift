public import PurchaseModel

/// An account of the tour's store.
public struct TourAccount: Sendable {
    /// The identifier of the account.
    public let id: AccountID
    /// The password, a test fixture.
    public let password: String
    /// Whether a parent must approve each purchase of the account.
    public let askToBuyEnabled: Bool

    /// The account of the tour's adult customer.
    public static let adult = TourAccount(id: "jane@example.com", password: "ladder", askToBuyEnabled: false)
    /// The account of a child, with Ask to Buy.
    public static let child = TourAccount(id: "kim@example.com", password: "banana", askToBuyEnabled: true)

    static let all = [adult, child]
}
