/// The protocol between a device and a store: what `OpenStoreKit` asks and `LocalAppStore` answers.
///
/// Every call but ``signIn`` carries `Authorization: Bearer` with the token of the sign-in.
public enum DeviceEndpoints {
    /// Signs an account in on a device.
    public static let signIn = Endpoint<SignInRequest, SignInReply>(.post, "/device/v1/sign-in")
    /// Describes products; needs no account.
    public static let products = Endpoint<ProductsRequest, ProductsReply>(.post, "/device/v1/products")
    /// Charges a payment once and answers every repeat of it alike.
    public static let purchase = Endpoint<PurchaseRequest, PurchaseReply>(.post, "/device/v1/purchases")
    /// What this device has not finished, and what became of payments that waited for a parent.
    public static let unfinished = Endpoint<UnfinishedRequest, UnfinishedReply>(.post, "/device/v1/unfinished")
    /// Marks a transaction as delivered; doing it again changes nothing.
    public static let finish = Endpoint<FinishRequest, Empty>(.post, "/device/v1/finish")
    /// Makes a new transaction for each purchase that can be restored.
    public static let restore = Endpoint<RestoreRequest, RestoreReply>(.post, "/device/v1/restore")
    /// Issues the latest receipt; makes no transaction.
    public static let receipt = Endpoint<ReceiptRequest, ReceiptReply>(.post, "/device/v1/receipt")
    /// Issues the receipt of one transaction, as iOS 6 had them.
    public static let transactionReceipt = Endpoint<FinishRequest, ReceiptReply>(.post, "/device/v1/transaction-receipt")
    /// States that the account got the app (`AppTransaction`).
    public static let appTransaction = Endpoint<AppTransactionRequest, AppTransactionReply>(.post, "/device/v1/app-transaction")
    /// The account's transactions and subscriptions in the app, as they stand now, or what changed of them since the last time.
    public static let purchases = Endpoint<PurchasesRequest, PurchasesReply>(.post, "/device/v1/history")
    /// Redeems an offer code, as the customer does in the store's own sheet.
    public static let redeem = Endpoint<RedeemRequest, PurchaseReply>(.post, "/device/v1/redeem")
    /// Requests a refund of a transaction; refused (`refund-request.duplicate`) while a request waits for a decision, and after a refund.
    public static let requestRefund = Endpoint<RefundWish, Empty>(.post, "/device/v1/refund-requests")
    /// Changes a subscription of the account's, as its customer does in the store's settings.
    public static let manage = Endpoint<ManageRequest, PurchasesReply.Status>(.post, "/device/v1/subscriptions")

    /// What happens to the account in the app, as server-sent events.
    public static let eventsPath = "/device/v1/events"
}
