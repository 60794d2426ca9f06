package import PurchaseModel
package import PurchaseProtocol

/// A payment, or a transaction that the store created without a payment of this device.
///
/// The journal stores a payment as a ``PaymentJournalRecord``.
package struct PaymentRecord: Hashable, Sendable {
    /// The state of a payment.
    package enum State: Hashable, Sendable {
        /// The app has added the payment, and the user has not been asked yet.
        ///
        /// The next state is ``confirmed`` or ``failed(_:)``.
        case queued
        /// The user has confirmed the payment, and the device sends it until the store responds.
        ///
        /// The next state is ``purchased(_:)``, ``deferred`` or ``failed(_:)``.
        case confirmed
        /// A parent has to approve the payment, perhaps in a later app session.
        ///
        /// The next state is ``purchased(_:)`` or ``failed(_:)``.
        case deferred
        /// The payment was charged, and the app has to deliver and finish the transaction.
        ///
        /// The next state is ``finished(_:)``.
        case purchased(RecordedTransaction)
        /// The transaction was restored, and the app has to deliver and finish it.
        ///
        /// The next state is ``finished(_:)``.
        case restored(RecordedTransaction, original: RecordedTransaction)
        /// The payment was not charged; the record is removed when the app finishes it.
        case failed(PaymentFailure)
        /// The app has finished the transaction; the record is removed when the store has acknowledged that.
        case finished(TransactionID)
    }

    /// The identifier of the payment; for a transaction without a payment, an identifier derived from the transaction identifier.
    package let id: PaymentID
    /// The position in the order in which payments were added; smaller is earlier.
    package let sequence: Int64
    /// The identifier of the product.
    package let productID: ProductID
    /// The quantity.
    package let quantity: Int
    /// The application username; a UUID is sent as `appAccountToken`; nil for none.
    package let username: String?
    /// The store's description of the product when the payment was added, so that the sheet can be shown without a network.
    package let product: StoreProduct?
    /// The state of the payment.
    package var state: State
    /// The account of the payment; nil until an account has signed in.
    ///
    /// The payment is shown and sent while this account is signed in on the device, and waits while another account is.
    var account: AccountID? = nil
    /// The requested offer; nil for none.
    package var offer: OfferChoice? = nil
    /// Whether StoreKit 2's purchase call made the payment; the call returns a failure, so that the app does not have to finish it.
    var isPurchaseCall = false
    /// Whether the payment needs a parent's approval in the sandbox, regardless of the account.
    package var simulatesAskToBuy = false

    /// The identifier of the payment's transaction; nil until the store has returned a transaction.
    package var transactionID: TransactionID? {
        switch state {
        case .purchased(let transaction), .restored(let transaction, _): transaction.id
        case .finished(let id): id
        case .queued, .confirmed, .deferred, .failed: nil
        }
    }

    /// Whether the payment needs the user's confirmation or a response from the store.
    var isToBeSent: Bool {
        switch state {
        case .queued, .confirmed: true
        case .deferred, .purchased, .restored, .failed, .finished: false
        }
    }

    /// Whether the payment has neither succeeded nor failed yet.
    var isUnderWay: Bool {
        switch state {
        case .queued, .confirmed, .deferred: true
        case .purchased, .restored, .failed, .finished: false
        }
    }

    /// Whether the app sees the record in its payment queue.
    ///
    /// A payment of StoreKit 2's purchase call becomes visible when it has a transaction.
    var isVisible: Bool {
        switch state {
        case .finished: false
        case .queued, .confirmed, .deferred: !isPurchaseCall
        case .purchased, .restored, .failed: true
        }
    }

    /// Whether the app has finished the transaction, and the store has not yet acknowledged that.
    var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    /// The transaction that the app has to deliver and finish; nil for other states.
    package var recorded: RecordedTransaction? {
        switch state {
        case .purchased(let transaction), .restored(let transaction, _): transaction
        case .queued, .confirmed, .deferred, .failed, .finished: nil
        }
    }

    /// Returns whether a transaction is the result of this payment.
    ///
    /// After a change within a subscription group, the transaction may name the previous product, which continues until the next renewal.
    func isFulfilled(by transaction: TransactionPayload) -> Bool {
        let group = product?.subscription?.group
        let isInSameGroup = group != nil && transaction.subscriptionGroupIdentifier == group
        return (transaction.productId == productID || isInSameGroup) && transaction.quantity == quantity
    }

    /// Returns whether the payment belongs to an account, or to no account yet.
    func belongs(to owner: AccountID?) -> Bool { account == nil || account == owner }

    /// Returns the same payment in another state.
    package func moved(to state: State) -> PaymentRecord {
        var record = self
        record.state = state
        return record
    }

    /// Returns the same payment with an account.
    func owned(by account: AccountID?) -> PaymentRecord {
        var record = self
        record.account = account
        return record
    }
}
