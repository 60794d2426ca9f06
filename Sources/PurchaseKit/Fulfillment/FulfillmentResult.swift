public import PurchaseModel
import PurchaseProof

/// The result of a transaction's delivery.
enum FulfillmentResult: Hashable, Sendable {
    /// The purchase is delivered, and its transaction finished; `isNew` is false for a purchase that was delivered before.
    case delivered(Purchase, isNew: Bool, previous: PreviousOwner?)
    /// The transaction was revoked before the delivery, leaves no credits, and is finished.
    case revoked(Purchase)
    /// The purchase is not delivered; a further attempt follows if the error is ``DeliveryError/later(_:)``.
    case undelivered(Purchase, DeliveryError)
    /// The purchase belongs to another customer of the app.
    ///
    /// The transaction is finished if the server has recorded the purchase. Without a server, the transaction stays unfinished until the
    /// other customer is signed in.
    case otherCustomer(Purchase, isFinished: Bool)
    /// The transaction can't be verified, is not delivered, and stays unfinished.
    ///
    /// A verification can fail because of a wrong configuration, although the customer has paid.
    case unverified(SignedTransaction)

    /// The purchase; nil for a transaction that can't be verified.
    var purchase: Purchase? {
        switch self {
        case .delivered(let purchase, _, _), .revoked(let purchase), .undelivered(let purchase, _), .otherCustomer(let purchase, _):
            purchase
        case .unverified: nil
        }
    }

    var isFinished: Bool {
        switch self {
        case .delivered, .revoked: true
        case .otherCustomer(_, let isFinished): isFinished
        case .undelivered, .unverified: false
        }
    }

    /// Whether an attempt to deliver the purchase has failed.
    var isUndelivered: Bool {
        if case .undelivered = self { true } else { false }
    }
}

/// A change that the engine reports to the app's state, in order.
enum FulfillmentReport: Sendable {
    case progress(ProductID, received: Int64, length: Int64)
    /// The state of a download has changed; nil for a download that has ended.
    case download(ProductID, DownloadProgress.State?)
    /// Content was installed at the person's request, outside of a delivery.
    case installed
    case ended(FulfillmentResult)
}

/// A durable step of a delivery, after which a test can end the process.
public enum DeliveryStep: Hashable, Sendable {
    /// The server has recorded the transaction.
    case submitted(ProductID)
    /// The content is on the disk.
    case installed(ProductID)
    /// The closure of ``Fulfillment/perform(_:)`` has returned.
    case performed(ProductID)
    /// The effect and the transaction are in the vault.
    case recorded(ProductID)
    /// StoreKit has recorded that the transaction is finished.
    case finished(ProductID)
}
