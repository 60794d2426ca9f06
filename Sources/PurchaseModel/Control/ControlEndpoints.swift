/// What people and tests do to a local store: the side of it that the App Store does not have.
///
/// Calls that change something are answered after one attempt to deliver the notifications that they caused.
public enum ControlEndpoints {
    // MARK: Apps

    /// The apps that the store sells for.
    public static let apps = Endpoint<Empty, AppsReply>(.get, "/control/v1/apps")
    /// Adds an app, or changes one.
    public static let setApp = Endpoint<AppRequest, AppDescription>(.post, "/control/v1/apps/{bundle}")
    /// What an app sells, as each country sees it.
    public static let products = Endpoint<Empty, ProductsReply>(.get, "/control/v1/apps/{bundle}/products")

    // MARK: People

    /// Opens an account.
    public static let openAccount = Endpoint<OpenAccountRequest, Empty>(.post, "/control/v1/accounts")
    /// Every account.
    public static let accounts = Endpoint<Empty, AccountsReply>(.get, "/control/v1/accounts")
    /// Gives an account the past that a real customer has at the App Store.
    public static let importHistory = Endpoint<HistoryRequest, HistoryReply>(.post, "/control/v1/import/history")
    /// Changes an account.
    public static let setAccount = Endpoint<AccountRequest, AccountDescription>(.post, "/control/v1/accounts/{account}")
    /// What an account was charged, oldest first.
    public static let charges = Endpoint<Empty, ChargesReply>(.get, "/control/v1/accounts/{account}/charges")
    /// An account's transactions, oldest first.
    public static let transactions = Endpoint<Empty, TransactionsReply>(.get, "/control/v1/accounts/{account}/transactions")
    /// An account's subscriptions.
    public static let subscriptions = Endpoint<Empty, SubscriptionsReply>(.get, "/control/v1/accounts/{account}/subscriptions")
    /// Makes an account's card fail or work again.
    public static let card = Endpoint<CardRequest, Empty>(.post, "/control/v1/accounts/{account}/card")
    /// Allows or forbids purchases on a device.
    public static let setDevice = Endpoint<DeviceRequest, Empty>(.post, "/control/v1/devices/{device}")

    // MARK: Purchases

    /// Buys for an account outside the app: the transaction comes to its devices by itself.
    public static let buy = Endpoint<BuyRequest, PurchaseReply>(.post, "/control/v1/purchases")
    /// Payments that wait for a parent.
    public static let approvals = Endpoint<Empty, ApprovalsReply>(.get, "/control/v1/approvals")
    /// A parent's decision.
    public static let decide = Endpoint<DecisionRequest, Empty>(.post, "/control/v1/approvals/{payment}")
    /// Payments that were interrupted.
    public static let interruptions = Endpoint<Empty, ApprovalsReply>(.get, "/control/v1/interruptions")
    /// Lets an interrupted payment go on.
    public static let resolve = Endpoint<Empty, Empty>(.post, "/control/v1/interruptions/{payment}")
    /// Does something with a subscription, named by its first transaction.
    public static let subscription = Endpoint<SubscriptionRequest, SubscriptionDescription>(
        .post, "/control/v1/subscriptions/{transaction}")
    /// Offers an app's product to an account of the store's own accord.
    public static let promote = Endpoint<PromotionRequest, Empty>(.post, "/control/v1/promotions")

    // MARK: Refunds

    /// Gives the money of a transaction back.
    public static let refund = Endpoint<RefundRequest, Empty>(.post, "/control/v1/refunds")
    /// Takes a refund back.
    public static let reverseRefund = Endpoint<ReverseRefundRequest, Empty>(.post, "/control/v1/refunds/reverse")
    /// A customer asks for the money of a transaction; the developer's server is asked what it thinks.
    public static let requestRefund = Endpoint<RefundWish, RefundRequestDescription>(.post, "/control/v1/refund-requests")
    /// The customers' requests, oldest first.
    public static let refundRequests = Endpoint<Empty, RefundRequestsReply>(.get, "/control/v1/refund-requests")
    /// Decides on a customer's request.
    public static let decideRefund = Endpoint<DecisionRequest, Empty>(.post, "/control/v1/refund-requests/{request}")

    // MARK: Time

    /// The store's time.
    public static let clock = Endpoint<Empty, ClockReply>(.get, "/control/v1/clock")
    /// Moves the store's time forward; everything that falls due on the way happens in order.
    public static let advance = Endpoint<AdvanceRequest, ClockReply>(.post, "/control/v1/clock/advance")
    /// Stops the store's time, makes it go faster, or jumps to a date.
    public static let setClock = Endpoint<ClockRequest, ClockReply>(.post, "/control/v1/clock")

    // MARK: News

    /// What happened, oldest first; the query may have `after`, `account` and `limit`.
    public static let events = Endpoint<Empty, EventsReply>(.get, "/control/v1/events")
    /// The newest notifications that were sent, or are still to be; ``DeliveriesReply/limit`` at most.
    public static let notifications = Endpoint<Empty, DeliveriesReply>(.get, "/control/v1/notifications")
}
