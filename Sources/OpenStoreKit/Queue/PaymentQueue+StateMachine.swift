import PurchaseModel
import PurchaseProof

/// The payment queue's decisions: it takes what happened and answers with what to do, in order.
///
/// It holds no clock, file or socket. Every change is answered with `.persist` before anything that depends on it, so
/// whoever carries the actions out in order can be killed between any two of them.
struct PaymentQueueMachine: Sendable {
    /// What happened.
    enum Event: Sendable {
        /// The app added a payment.
        case added(PaymentRecord)
        /// The user answered the sheet.
        case confirmed(PaymentID, Bool)
        /// The store answered, and its signature was verified.
        case purchased(PaymentID, VerifiedTransaction)
        /// The store wants a parent's approval.
        case deferred(PaymentID)
        /// The payment can't succeed.
        case failed(PaymentID, PaymentFailure)
        /// The store lists a transaction that this device has not finished.
        case listed(PaymentID?, VerifiedTransaction, restoredFrom: VerifiedTransaction?)
        /// The app finished a transaction.
        case finished(PaymentID)
        /// The store knows that a transaction is finished.
        case acknowledged(PaymentID)
    }

    /// What to do.
    enum Action: Hashable, Sendable {
        /// Write the record to the journal before going on.
        case persist(PaymentRecord)
        /// Remove the record from the journal.
        case forget(PaymentID)
        /// Tell the app of the record's state.
        case announce(PaymentRecord)
        /// Tell the app that the transaction has left the queue.
        case announceRemoval(PaymentID)
        /// There is something to ask the user or to send.
        case work
    }

    private(set) var records: [PaymentID: PaymentRecord] = [:]

    /// Starts with what the journal holds.
    init(journal: [PaymentRecord] = []) {
        for record in journal {
            records[record.id] = record
        }
    }

    /// The records in the order in which they were added.
    var ordered: [PaymentRecord] { records.values.sorted { $0.sequence < $1.sequence } }

    /// The order number of the next record.
    var nextSequence: Int64 { (records.values.map(\.sequence).max() ?? 0) + 1 }

    /// Takes an event and answers with the actions, to be carried out in order.
    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .added(let record):
            guard records[record.id] == nil else { return [] }
            records[record.id] = record
            return [.persist(record), .announce(record), .work]
        case .confirmed(let id, let yes):
            guard case .queued = records[id]?.state else { return [] }
            guard yes else { return move(id, to: .failed(PaymentFailure(.paymentCancelled)), [.announce]) }
            return move(id, to: .confirmed, [.work])
        case .purchased(let id, let transaction):
            return purchased(id, transaction)
        case .deferred(let id):
            guard case .confirmed = records[id]?.state else { return [] }
            return move(id, to: .deferred, [.announce])
        case .failed(let id, let failure):
            switch records[id]?.state {
            case .queued, .confirmed, .deferred: return move(id, to: .failed(failure), [.announce])
            case .purchased, .restored, .failed, .finished, nil: return []
            }
        case .listed(let payment, let transaction, let original):
            return listed(payment, transaction, restoredFrom: original)
        case .finished(let id):
            return finished(id)
        case .acknowledged(let id):
            guard case .finished = records[id]?.state else { return [] }
            records[id] = nil
            return [.forget(id)]
        }
    }

    private mutating func purchased(_ id: PaymentID, _ transaction: VerifiedTransaction) -> [Action] {
        switch records[id]?.state {
        case .confirmed, .deferred, .queued:
            move(id, to: .purchased(RecordedTransaction(transaction)), [.announce])
        case .purchased, .restored, .failed, .finished, nil:
            []
        }
    }

    private mutating func listed(
        _ payment: PaymentID?,
        _ transaction: VerifiedTransaction,
        restoredFrom original: VerifiedTransaction?
    ) -> [Action] {
        let transactionID = transaction.payload.transactionId
        guard !records.values.contains(where: { $0.transactionID == transactionID }) else { return [] }
        if let payment, records[payment] != nil {
            return purchased(payment, transaction)
        }
        let record = PaymentRecord(
            id: payment ?? PaymentID("transaction-\(transactionID)"),
            sequence: nextSequence,
            productID: transaction.payload.productId,
            quantity: transaction.payload.quantity,
            username: transaction.payload.appAccountToken?.rawValue,
            product: nil,
            state: original.map { .restored(RecordedTransaction(transaction), original: RecordedTransaction($0)) }
                ?? .purchased(RecordedTransaction(transaction))
        )
        records[record.id] = record
        return [.persist(record), .announce(record)]
    }

    private mutating func finished(_ id: PaymentID) -> [Action] {
        switch records[id]?.state {
        case .purchased(let transaction), .restored(let transaction, _):
            return move(id, to: .finished(transaction.id), [.announceRemoval, .work])
        case .failed:
            records[id] = nil
            return [.forget(id), .announceRemoval(id)]
        case .queued, .confirmed, .deferred, .finished, nil:
            // Finishing what is still under way would lose it; finishing twice changes nothing.
            return []
        }
    }

    private enum FollowUp {
        case announce
        case announceRemoval
        case work
    }

    private mutating func move(_ id: PaymentID, to state: PaymentRecord.State, _ followUps: [FollowUp]) -> [Action] {
        guard var record = records[id] else { return [] }
        record.state = state
        records[id] = record
        return [.persist(record)]
            + followUps.map { followUp in
                switch followUp {
                case .announce: .announce(record)
                case .announceRemoval: .announceRemoval(id)
                case .work: .work
                }
            }
    }
}
