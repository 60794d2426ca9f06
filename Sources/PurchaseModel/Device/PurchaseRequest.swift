/// A payment that the customer confirmed.
public struct PurchaseRequest: Codable, Hashable, Sendable {
    /// The payment; a repeat carries the same.
    public var payment: PaymentID
    /// What is bought.
    public var productID: ProductID
    /// How many, from 1 to 10.
    public var quantity: Int
    /// The customer at the developer's own server.
    public var appAccountToken: CustomerID?
    /// The offer that is asked for; nil for none, which still means the introductory offer for who may have it.
    public var offer: OfferChoice?
    /// Whether a parent must approve it, whatever the account says (`simulatesAskToBuyInSandbox`); has no effect in production.
    public var simulatesAskToBuy: Bool?
    /// Whether what the customer holds already is the answer, as in StoreKit 2, instead of a free copy or a refusal.
    public var returnsHeld: Bool?

    /// The application username when it is no UUID and so no token: it narrows restores and belongs to what an offer's signature says,
    /// and comes back in no transaction.
    public var applicationUsername: String?
    /// Whether the user agrees to ask a parent when one must approve it; false has that answered with
    /// ``PurchaseReply/permissionNeeded``, nil counts as true.
    public var agreesToAsk: Bool?

    /// Creates a request.
    public init(
        payment: PaymentID, productID: ProductID, quantity: Int, appAccountToken: CustomerID?, offer: OfferChoice? = nil,
        simulatesAskToBuy: Bool? = nil, returnsHeld: Bool? = nil, applicationUsername: String? = nil, agreesToAsk: Bool? = nil
    ) {
        self.payment = payment
        self.productID = productID
        self.quantity = quantity
        self.appAccountToken = appAccountToken
        self.offer = offer
        self.simulatesAskToBuy = simulatesAskToBuy
        self.returnsHeld = returnsHeld
        self.applicationUsername = applicationUsername
        self.agreesToAsk = agreesToAsk
    }
}
