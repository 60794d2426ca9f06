import PurchaseModel

/// Reports transactions to the listeners for StoreKit 2's transaction updates, each at most once in an app session.
final class TransactionUpdates {
    private let queue: PaymentQueue
    private let listeners: Broadcast<SignedTransaction>
    /// The transactions that purchase calls returned or the history reported in this app session; they are not reported again.
    private var delivered: Set<TransactionID> = []
    /// New transactions of the history that may result from an open payment; they are reported if the payment has another result.
    private var withheld: Set<TransactionID> = []

    init(queue: PaymentQueue, listeners: Broadcast<SignedTransaction>) {
        self.queue = queue
        self.listeners = listeners
    }

    /// Adds a listener; the first listener of an app session also receives every unfinished transaction.
    func listen(_ continuation: AsyncStream<SignedTransaction>.Continuation) {
        guard listeners.add(continuation) else { return }
        for record in queue.machine.ordered where queue.machine.shows(record) {
            guard let transaction = record.recorded, !delivered.contains(transaction.id) else { continue }
            continuation.yield(transaction.signed)
        }
        for (id, signed) in queue.unfinishedElsewhere where !delivered.contains(id) { report(id, signed) }
    }

    /// Reports the transactions that have entered the payment queue.
    func announce(_ records: [PaymentQueueRecord]) {
        // The first listener receives all transactions in the payment queue when it starts, so that these are not buffered.
        for transaction in records.compactMap(\.recorded) where !delivered.contains(transaction.id) {
            listeners.announce(transaction.signed, buffering: false)
        }
    }

    /// Reports a transaction that has no place in the payment queue, such as a revoked one.
    func announce(_ signed: SignedTransaction) {
        listeners.announce(signed)
    }

    /// Reports a transaction from outside the payment queue.
    ///
    /// While a payment may still receive the transaction, the transaction is withheld: an app that finished it as an update would leave the
    /// payment without its transaction.
    func report(_ id: TransactionID, _ signed: SignedTransaction) {
        guard !delivered.contains(id) else { return }
        guard !isAwaited(signed) else {
            withheld.insert(id)
            return
        }
        // The transaction is not reported again if it enters the payment queue later.
        delivered.insert(id)
        listeners.announce(signed)
    }

    /// Reports the withheld transactions that no payment has received.
    func reportWithheld() {
        guard !withheld.isEmpty, !queue.isClosed else { return }
        let waiting = withheld
        withheld = []
        for (id, signed) in queue.unfinishedElsewhere where waiting.contains(id) && !delivered.contains(id) { report(id, signed) }
    }

    /// Records that a purchase call returns a transaction.
    func markDelivered(_ id: TransactionID) {
        delivered.insert(id)
    }

    /// Returns whether a transaction may result from an open payment.
    ///
    /// The payload is decoded only while there is an open payment.
    func isAwaited(_ signed: SignedTransaction) -> Bool {
        guard queue.machine.nextPayment != nil, let payload = signed.unverifiedPayload else { return false }
        return queue.machine.awaits(payload)
    }

    /// Drops the withheld transactions of the previous account; an account that returns receives its unfinished transactions again.
    func ownerChanged() {
        withheld = []
        delivered = []
    }
}
