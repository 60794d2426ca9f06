package import PurchaseModel
import PurchaseProof

/// A payment, or a transaction that the store created without a payment of this device.
///
/// The journal stores a payment as a ``PaymentJournalRecord``.
@dynamicMemberLookup
package struct PaymentQueueRecord: Hashable, Sendable {
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

    /// What the app has requested; for a transaction without a payment of this device, the values of the transaction.
    package let request: PaymentRequest
    /// The position in the order in which payments were added; smaller is earlier.
    package let sequence: Int64
    /// The state of the payment.
    package var state: State
    /// The account of the payment; nil until an account has signed in.
    ///
    /// The payment is shown and sent while this account is signed in on the device, and waits while another account is.
    var account: AccountID?

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - request: What the app has requested.
    ///   - sequence: The position in the order in which payments were added.
    ///   - state: The state of the payment.
    ///   - account: The account of the payment; nil until an account has signed in.
    package init(_ request: PaymentRequest, sequence: Int64, state: State = .queued, account: AccountID? = nil) {
        self.request = request
        self.sequence = sequence
        self.state = state
        self.account = account
    }

    /// A value of the request.
    package subscript<Value>(dynamicMember member: KeyPath<PaymentRequest, Value>) -> Value { request[keyPath: member] }

    /// The identifier of the payment; for a transaction without a payment, an identifier derived from the transaction identifier.
    package var id: PaymentID { request.id }

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
        case .queued, .confirmed, .deferred: !request.isPurchaseCall
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
        let group = request.product?.subscription?.group
        let isInSameGroup = group != nil && transaction.subscriptionGroupIdentifier == group
        // The quantity of a subscription is that of its seats: all of them, the added ones, or those of the period that continues.
        let hasQuantity = transaction.quantity == request.quantity || group != nil
        return (transaction.productId == request.productID || isInSameGroup) && hasQuantity
    }

    /// Returns whether the payment belongs to an account, or to no account yet.
    func belongs(to owner: AccountID?) -> Bool { account == nil || account == owner }

    /// Returns the same payment in another state.
    package func moved(to state: State) -> PaymentQueueRecord {
        var record = self
        record.state = state
        return record
    }

    /// Returns the same payment with an account.
    func owned(by account: AccountID?) -> PaymentQueueRecord {
        var record = self
        record.account = account
        return record
    }
}

/// A transaction in the payment queue: its signed form, and the values that the app sees.
///
/// The initializer requires a verified transaction. A value that is read from the journal is not trusted: its signed form is verified
/// again, and must lead to the same values.
package struct RecordedTransaction: Hashable, Sendable {
    /// The identifier of the transaction.
    package let id: TransactionID
    /// The date of the purchase or the restore.
    package let date: Timestamp
    /// The transaction as the store signed it.
    package let signed: SignedTransaction
    /// The content that the store hosts for the transaction; nil for none.
    package let content: HostedContent?

    init(_ transaction: VerifiedTransaction, content: HostedContent? = nil) {
        self.content = content
        id = transaction.payload.transactionId
        date = transaction.payload.purchaseDate
        signed = transaction.original
    }
}
