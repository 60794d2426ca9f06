import PurchaseModel

/// An error of an operation in a local App Store.
///
/// The HTTP status and the message of each error are in `StoreError+Wire.swift`.
enum StoreError: Error, Equatable {
    /// A parameter of the request has an invalid value.
    case invalidValue(field: String)
    /// The request names more products than ``ProductsRequest/limit``.
    case tooManyProducts
    /// The account does not exist, or the password is wrong.
    case signInRefused
    /// The request has no valid sign-in token of this store.
    case signedOut
    /// The store has no app with the bundle identifier.
    case appUnknown
    /// An account with the requested name exists, but its password or its Ask to Buy setting differs.
    case accountTaken
    /// The account does not exist.
    case accountUnknown
    /// The payment identifier was used for another payment, or by another account.
    case paymentReused
    /// The store has no payment with the identifier whose approval or resolution is requested.
    case approvalUnknown
    /// The payment or the refund request already has a different outcome, such as the opposite decision.
    case approvalDecided
    /// The payment was approved or its issue was resolved, but the store now refuses the purchase.
    case approvalRefused(PurchaseRefusal)
    /// The transaction does not exist, or it belongs to another account or app than the caller's.
    case transactionUnknown
    /// The transaction has no charge to refund, because it is restored, free or already refunded.
    case notCharged
    /// The refund of the transaction cannot be reversed, because the transaction is not refunded.
    case notRefunded
    /// A refund request for the transaction is pending, or the transaction is already refunded.
    case duplicateRefundRequest
    /// The store refuses the change of a subscription to another product.
    case changeRefused(PurchaseRefusal)
    /// The refund request does not exist.
    case refundRequestUnknown
    /// The app's catalog does not have the product.
    case productUnknown
    /// The store hosts no content for the product.
    case contentUnknown
    /// The file that was uploaded as a product's hosted content is empty.
    case contentEmpty
    /// The hosted content is not available to the caller, because the transaction is refunded or revoked.
    case contentRevoked
    /// The renewal date of the subscription cannot be extended.
    case extensionRefused(ExtensionRefusal)
    /// The host has no store with the name in the request's path.
    case storeUnknown
    /// The host already has a store with the requested name.
    case storeTaken
    /// The host has reached the maximum number of stores.
    case tooManyStores
    /// The host has no folder for persistent stores.
    case persistenceUnavailable
    /// The uploaded `.storekit` file is invalid.
    case invalidCatalog(CatalogError)
    /// The uploaded file is not a valid database of a store.
    case invalidStoreFile(StoreFileDefect)
    /// The transaction history that an account should import is invalid.
    case invalidHistory(HistoryImportError)
    /// The store's time cannot be set to the requested date, which is in the past or too far in the future.
    case advanceOutOfRange
    /// More events are due in the requested time interval than one advance of the store's time processes.
    case tooManyEvents
    /// The store is still processing events, such as renewals, that were due at the date `since`.
    case behind(since: Timestamp)
    /// The store has no notification with the UUID.
    case notificationUnknown
    /// The store cannot trigger a notification with the requested type and subtype.
    case notificationKindUnknown
    /// The requested notification does not apply to the product or the subscription; the associated value is a sentence with the reason.
    case triggerNotApplicable(String)
    /// The store already has the maximum number of enabled faults (simulated failures).
    case tooManyFaults
    /// The notification URL is not an http or https URL.
    case invalidNotificationURL
}
