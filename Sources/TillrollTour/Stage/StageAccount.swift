public import PurchaseModel

/// The accounts that the story's store knows.
public struct StageAccount: Sendable {
    /// How the account is opened.
    public let request: OpenAccountRequest

    /// The customer of the story.
    public static let grownUp = StageAccount(request: OpenAccountRequest(account: "jane@example.com", password: "ladder"))
    /// A child, whose purchases a parent approves.
    public static let child = StageAccount(request: OpenAccountRequest(account: "kim@example.com", password: "banana", asksToBuy: true))

    static let all = [grownUp, child]
}
