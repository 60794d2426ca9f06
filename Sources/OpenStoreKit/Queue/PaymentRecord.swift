package import PurchaseModel
package import PurchaseProtocol

/// One payment, or one transaction that the store made without a payment of this device.
///
/// The journal stores a payment as a ``PaymentJournalRecord``.
package struct PaymentRecord: Hashable, Sendable {
    /// The state of a payment.
    ///
    /// Each case names the states that can follow.
    package enum State: Hashable, Sendable {
        /// The app has added the payment; the user has not been asked yet. → confirmed, failed
        case queued
        /// The user has confirmed; the payment is sent until the store responds. → purchased, deferred, failed
        case confirmed
        /// A parent has to approve the payment, perhaps in another app session. → purchased, failed
        case deferred
        /// The payment was charged; the app has to deliver and finish the transaction. → finished
        case purchased(RecordedTransaction)
        /// The transaction was restored; the app has to deliver and finish it. → finished
        case restored(RecordedTransaction, original: RecordedTransaction)
        /// The payment was not charged; the app has to finish it. → removed
        case failed(PaymentFailure)
        /// The app has finished the transaction; the finish has to be reported to the store. → removed
        case finished(TransactionID)
    }

    /// The identifier of the payment; for a transaction without a payment, an identifier derived from the transaction's.
    package let id: PaymentID
    /// The position in the order in which payments were added; smaller is earlier.
    package let sequence: Int64
    /// The product.
    package let productID: ProductID
    /// The quantity.
    package let quantity: Int
    /// The application username; a UUID is sent as `appAccountToken`.
    package let username: String?
    /// The store's description of the product when the payment was added, so that the sheet can be shown without a network.
    package let product: StoreProduct?
    /// The state of the payment.
    package var state: State
    /// The account of the payment; nil until an account has signed in.
    ///
    /// The payment is shown and sent while this account is signed in on the device, and waits while another account is.
    var account: AccountID? = nil
    /// The offer of the payment.
    package var offer: OfferChoice? = nil
    /// Whether StoreKit 2's purchase call made the payment, whose failure the app does not have to finish.
    var isPurchaseCall = false
    /// Whether the payment needs a parent's approval in the sandbox, regardless of the account.
    package var simulatesAskToBuy = false

    /// The identifier of the transaction, once the payment has one.
    package var transactionID: TransactionID? {
        switch state {
        case .purchased(let transaction), .restored(let transaction, _): transaction.id
        case .finished(let id): id
        case .queued, .confirmed, .deferred, .failed: nil
        }
    }

    /// Whether the payment still needs the user's confirmation, or a response from the store.
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

    /// Whether the app sees the record in its queue.
    ///
    /// StoreKit 1 sees a purchase call once there is a transaction.
    var isVisible: Bool {
        switch state {
        case .finished: false
        case .queued, .confirmed, .deferred: !isPurchaseCall
        case .purchased, .restored, .failed: true
        }
    }

    /// Whether the finish has to be reported to the store.
    var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    /// The transaction that the app has to deliver and finish.
    package var recorded: RecordedTransaction? {
        switch state {
        case .purchased(let transaction), .restored(let transaction, _): transaction
        case .queued, .confirmed, .deferred, .failed, .finished: nil
        }
    }

    /// Whether a transaction is the result of this payment.
    ///
    /// For a change within a subscription group, the transaction may name another product that continues until its renewal changes to
    /// this one.
    func isFulfilled(by transaction: TransactionPayload) -> Bool {
        let group = product?.subscription?.group
        let isInSameGroup = group != nil && transaction.subscriptionGroupIdentifier == group
        return (transaction.productId == productID || isInSameGroup) && transaction.quantity == quantity
    }

    /// The same payment in another state.
    package func moved(to state: State) -> PaymentRecord {
        var record = self
        record.state = state
        return record
    }

    /// The same payment with an account.
    func owned(by account: AccountID?) -> PaymentRecord {
        var record = self
        record.account = account
        return record
    }
}
