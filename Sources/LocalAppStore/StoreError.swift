import PurchaseModel

/// Why the store says no.
///
/// What each looks like on the wire is in `StoreError+Wire.swift`.
enum StoreError: Error, Equatable {
    /// A field of the request cannot be used.
    case unusable(field: String)
    /// More products were asked for than one request may name.
    case tooManyProducts
    /// No such account, or another password.
    case signInRefused
    /// The call carries no token of a sign-in here.
    case signedOut
    /// The store does not sell for this app.
    case appUnknown
    /// There is an account of that name with other data.
    case accountTaken
    /// There is no such account.
    case accountUnknown
    /// The payment was used for something else, or by somebody else.
    case paymentReused
    /// No payment of that id waits or waited for a parent.
    case approvalUnknown
    /// The parent had decided otherwise.
    case approvalDecided
    /// The payment that was approved cannot be settled any more.
    case approvalRefused(PurchaseRefusal)
    /// The caller has no such transaction.
    case transactionUnknown
    /// Nothing was paid for this transaction.
    case nothingToRefund
    /// That transaction was not refunded.
    case nothingToReverse
    /// The customer asked for it already.
    case refundAsked
    /// The store will not sell what a subscription was to be changed to.
    case changeRefused(PurchaseRefusal)
    /// There is no such request for a refund.
    case refundRequestUnknown
    /// The app sells no such product.
    case productUnknown
    /// The store hosts no content for that product.
    case contentUnknown
    /// The content that is to be hosted has no bytes.
    case contentEmpty
    /// The transaction was refunded.
    case contentRevoked
    /// The renewal date cannot be put off.
    case extensionRefused(ExtensionRefusal)
    /// There is no store at that address.
    case storeUnknown
    /// There is a store of that name.
    case storeTaken
    /// The host has as many stores as it can have.
    case tooManyStores
    /// The host has no folder for stores that are to last.
    case nothingIsKept
    /// The `.storekit` file cannot be used.
    case catalogUnusable(CatalogError)
    /// The file cannot become a store.
    case storeFileUnusable(StoreFileRefusal)
    /// A customer's history cannot be taken in.
    case historyUnusable(HistoryRefusal)
    /// The time may not be moved that far, or back.
    case advanceOutOfRange
    /// Too much falls due on the way.
    case tooManyEvents
    /// More is due than happens while a request waits.
    case behind(since: Timestamp)
    /// There is no such notification.
    case notificationUnknown
    /// There is no such kind of notification.
    case notificationKindUnknown
    /// What was asked for does not lead to the notification.
    case triggerUnfit(String)
    /// As many faults are switched on as can be.
    case tooManyFaults
    /// Not an http or https address.
    case notificationURLUnusable
}
