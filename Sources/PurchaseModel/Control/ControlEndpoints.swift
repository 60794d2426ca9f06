/// What people and tests do to a local store: the side of it that the App Store does not have.
///
/// Calls that change something are answered after one attempt to deliver the notifications that they caused.
public enum ControlEndpoints {
    /// Opens an account.
    public static let openAccount = Endpoint<OpenAccountRequest, Empty>(.post, "/control/v1/accounts")
    /// What an account was charged, oldest first.
    public static let charges = Endpoint<Empty, ChargesReply>(.get, "/control/v1/accounts/{account}/charges")
    /// Makes an account's card fail or work again.
    public static let card = Endpoint<CardRequest, Empty>(.post, "/control/v1/accounts/{account}/card")
    /// Payments that wait for a parent.
    public static let approvals = Endpoint<Empty, ApprovalsReply>(.get, "/control/v1/approvals")
    /// A parent's decision.
    public static let decide = Endpoint<DecisionRequest, Empty>(.post, "/control/v1/approvals/{payment}")
    /// The store's time.
    public static let clock = Endpoint<Empty, ClockReply>(.get, "/control/v1/clock")
    /// Moves the store's time forward; everything that falls due on the way happens in order.
    public static let advance = Endpoint<AdvanceRequest, ClockReply>(.post, "/control/v1/clock/advance")
    /// Gives the money of a transaction back.
    public static let refund = Endpoint<RefundRequest, Empty>(.post, "/control/v1/refunds")
    /// The newest notifications that were sent, or are still to be; ``DeliveriesReply/limit`` at most.
    public static let notifications = Endpoint<Empty, DeliveriesReply>(.get, "/control/v1/notifications")
}
