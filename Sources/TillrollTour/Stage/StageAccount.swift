import PurchaseModel
package import PurchaseProtocol

/// The accounts that the story's store knows.
package struct StageAccount: Sendable {
    /// How the account is opened.
    package let request: OpenAccountRequest

    /// The customer of the story.
    package static let grownUp = StageAccount(request: OpenAccountRequest(account: "jane@example.com", password: "ladder"))
    /// A child, whose purchases a parent approves.
    package static let child = StageAccount(request: OpenAccountRequest(account: "kim@example.com", password: "banana", asksToBuy: true))

    static let all = [grownUp, child]
}
