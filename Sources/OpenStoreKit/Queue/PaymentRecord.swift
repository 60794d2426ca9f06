package import PurchaseModel
package import PurchaseProtocol

/// One payment, or one transaction that the store made by itself, as the journal keeps it.
package struct PaymentRecord: Codable, Hashable, Sendable {
    /// Where a payment stands.
    ///
    /// Each case says where it can go.
    package enum State: Codable, Hashable, Sendable {
        /// Added by the app; the user has not been asked yet. → confirmed, failed
        case queued
        /// Confirmed by the user; it has to reach the store, however often it is sent. → purchased, deferred, failed
        case confirmed
        /// A parent has to approve it, perhaps in another launch. → purchased, failed
        case deferred
        /// Paid; the app has to deliver and finish it. → finished
        case purchased(RecordedTransaction)
        /// Restored; the app has to deliver and finish it. → finished
        case restored(RecordedTransaction, original: RecordedTransaction)
        /// Not paid; the app has to finish it. → gone
        case failed(PaymentFailure)
        /// Finished by the app; the store has to be told. → gone
        case finished(TransactionID)
    }

    /// The payment; for a transaction that the store made by itself, an identifier made from the transaction's.
    package let id: PaymentID
    /// The order in which payments were added; smaller is earlier.
    package let sequence: Int64
    /// What is bought.
    package let productID: ProductID
    /// How many.
    package let quantity: Int
    /// The application username; a UUID travels as `appAccountToken`.
    package let username: String?
    /// The store's description when the payment was added, so that the sheet can be shown without a network.
    package let product: StoreProduct?
    /// Where it stands.
    package var state: State
    /// Whose payment it is; nil until somebody has signed in.
    ///
    /// It is shown and sent while this account is the device's, and waits while another is.
    var account: AccountID? = nil
    /// The offer that the payment asks for.
    package var offer: OfferChoice? = nil
    /// Whether StoreKit 2's purchase call made it, which nobody asks to finish a failure; nil for no.
    var isCall: Bool? = nil
    /// Whether it is to wait for a parent in the sandbox, whatever the account says; nil for no.
    package var simulatesAskToBuy: Bool? = nil

    /// The transaction, once there is one.
    package var transactionID: TransactionID? {
        switch state {
        case .purchased(let transaction), .restored(let transaction, _): transaction.id
        case .finished(let id): id
        case .queued, .confirmed, .deferred, .failed: nil
        }
    }

    /// Whether the user still has to be asked, or the store still has to be reached for it.
    var isToBeSent: Bool {
        switch state {
        case .queued, .confirmed: true
        case .deferred, .purchased, .restored, .failed, .finished: false
        }
    }

    /// Whether it is not settled yet, one way or the other.
    var isUnderWay: Bool {
        switch state {
        case .queued, .confirmed, .deferred: true
        case .purchased, .restored, .failed, .finished: false
        }
    }

    /// Whether the app sees it in its queue: StoreKit 1 is told of what a purchase call does when there is a transaction.
    var isVisible: Bool {
        switch state {
        case .finished: false
        case .queued, .confirmed, .deferred: isCall != true
        case .purchased, .restored, .failed: true
        }
    }

    /// Whether the store has to be told that it is finished.
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

    /// Whether a transaction is about what this payment bought.
    ///
    /// Another product of the same group that runs on answers the wish to change to this one with its renewal.
    func isAnswered(by transaction: TransactionPayload) -> Bool {
        let group = product?.subscription?.group
        let isHeld = group != nil && transaction.subscriptionGroupIdentifier == group
        return (transaction.productId == productID || isHeld) && transaction.quantity == quantity
    }

    /// The same payment, elsewhere.
    package func moved(to state: State) -> PaymentRecord {
        var record = self
        record.state = state
        return record
    }

    /// The same payment, as somebody's.
    func owned(by account: AccountID?) -> PaymentRecord {
        var record = self
        record.account = account
        return record
    }
}
