/// The protocol between an app, or a backend, and the developer's own server.
public enum ServerEndpoints {
    /// The master list of products.
    public static let products = Endpoint<Empty, ServerProductsReply>(.get, "/v1/products")
    /// Records a signed transaction for a customer; a repeat answers the same.
    public static let transactions = Endpoint<RecordTransactionRequest, GrantReply>(.post, "/v1/transactions")
    /// Verifies a receipt and answers with a ticket for the content of one product.
    public static let contentTicket = Endpoint<ContentTicketRequest, ContentTicket>(.post, "/v1/content/{product}/tickets")
    /// The content itself, with ranges; the ticket is the query parameter `ticket`.
    public static let content = Endpoint<Empty, Empty>(.get, "/v1/content/{product}")
    /// Whether a customer has access to a product, and why.
    public static let access = Endpoint<Empty, AccessReply>(.get, "/v1/customers/{customer}/access/{product}")
    /// A customer's credits.
    public static let balance = Endpoint<Empty, BalanceReply>(.get, "/v1/customers/{customer}/balance")
    /// Takes credits from a customer, once for each spending id.
    public static let spend = Endpoint<SpendRequest, BalanceReply>(.post, "/v1/customers/{customer}/spend")
    /// Takes in the App Store's server notifications.
    public static let notifications = Endpoint<NotificationRequest, Empty>(.post, "/v1/notifications")
}
