import PurchaseModel

/// The errors of the store's operations.
///
/// The HTTP representation of each error is in `StoreError+Wire.swift`.
enum StoreError: Error, Equatable {
    /// A field of the request is invalid.
    case invalidValue(field: String)
    /// The request names more products than the limit.
    case tooManyProducts
    /// The account does not exist, or the password is wrong.
    case signInRefused
    /// The request has no valid sign-in token of this store.
    case signedOut
    /// The store does not have this app.
    case appUnknown
    /// An account with that name has other data.
    case accountTaken
    /// The account does not exist.
    case accountUnknown
    /// The payment identifier was used for another payment, or by another account.
    case paymentReused
    /// No payment with that identifier is or was pending approval.
    case approvalUnknown
    /// The parent has already made the opposite decision.
    case approvalDecided
    /// The approved payment can no longer be completed.
    case approvalRefused(PurchaseRefusal)
    /// The caller has no such transaction.
    case transactionUnknown
    /// The transaction has no charge to refund.
    case notCharged
    /// The transaction is not refunded.
    case notRefunded
    /// The customer already requested a refund of the transaction.
    case duplicateRefundRequest
    /// The store refuses to sell the product of a subscription change.
    case changeRefused(PurchaseRefusal)
    /// The refund request does not exist.
    case refundRequestUnknown
    /// The app does not have the product.
    case productUnknown
    /// The store hosts no content for that product.
    case contentUnknown
    /// The hosted content is empty.
    case contentEmpty
    /// The transaction is refunded or revoked.
    case contentRevoked
    /// The renewal date cannot be extended.
    case extensionRefused(ExtensionRefusal)
    /// No store has the address.
    case storeUnknown
    /// A store with that name exists.
    case storeTaken
    /// The host has reached the maximum number of stores.
    case tooManyStores
    /// The host has no folder for persistent stores.
    case persistenceUnavailable
    /// The `.storekit` file is invalid.
    case invalidCatalog(CatalogError)
    /// The file cannot be imported as a store.
    case invalidStoreFile(StoreFileDefect)
    /// The transaction history cannot be imported.
    case invalidHistory(HistoryImportError)
    /// The store's time cannot advance that far, and cannot go back.
    case advanceOutOfRange
    /// Too many events are due within the time advance.
    case tooManyEvents
    /// More events are due than the store processes during a request.
    case behind(since: Timestamp)
    /// The notification does not exist.
    case notificationUnknown
    /// The notification type does not exist.
    case notificationKindUnknown
    /// The requested scenario does not lead to the notification.
    case triggerNotApplicable(String)
    /// The maximum number of faults is enabled.
    case tooManyFaults
    /// The notification URL is not an http or https URL.
    case invalidNotificationURL
}
