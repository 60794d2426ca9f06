import PurchaseModel
import PurchaseProof

/// The payment queue's decisions: it takes what happened and answers with what to do, in order.
///
/// It holds no clock, file or socket. Every change is answered with `.persist` or `.forget` before anything that depends
/// on it, so whoever carries the actions out in order can be killed between any two of them. The machine's own memory
/// changes by the same two actions as the journal, so neither is ever ahead of the other.
struct PaymentQueueMachine: Sendable {
    /// What happened.
    enum Event: Sendable {
        /// The app added a payment.
        case added(PaymentRecord)
        /// The user answered the sheet.
        case confirmed(PaymentID, Bool)
        /// The store wants a parent's approval.
        case deferred(PaymentID)
        /// The payment can't succeed.
        case failed(PaymentID, PaymentFailure)
        /// The store holds a transaction for this device, and its signature was verified: the answer to a payment, a
        /// renewal, a restored purchase, or one that was left unfinished.
        case held(PaymentID?, VerifiedTransaction, restoredFrom: VerifiedTransaction?)
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
    private var transactions: Set<TransactionID> = []
    private var lastSequence: Int64 = 0
    private var payments: ArraySlice<PaymentID> = []
    private var finishes: ArraySlice<PaymentID> = []

    /// Starts with what the journal holds.
    init(journal: [PaymentRecord] = []) {
        apply(journal.sorted { $0.sequence < $1.sequence }.map { .persist($0) })
    }

    /// The records in the order in which they were added.
    var ordered: [PaymentRecord] { records.values.sorted { $0.sequence < $1.sequence } }

    /// The order number of the next record.
    var nextSequence: Int64 { lastSequence == .max ? .max : lastSequence + 1 }

    /// The oldest payment that the user has to be asked about, or that has to be sent.
    var nextPayment: PaymentRecord? { payments.first.flatMap { records[$0] } }

    /// The transaction of whose finish the store has to be told next.
    var nextFinish: PaymentRecord? { finishes.first.flatMap { records[$0] } }

    /// Takes an event: decides, remembers, and answers with the actions.
    mutating func handle(_ event: Event) -> [Action] {
        let actions = decide(event)
        apply(actions)
        return actions
    }

    /// What an event asks for; an event that changes nothing asks for nothing.
    func decide(_ event: Event) -> [Action] {
        switch event {
        case .added(let record):
            guard records[record.id] == nil else { return [] }
            return [.persist(record), .announce(record), .work]
        case .confirmed(let id, let yes):
            guard let record = records[id], case .queued = record.state else { return [] }
            guard yes else { return announced(record.moved(to: .failed(PaymentFailure(.paymentCancelled)))) }
            return [.persist(record.moved(to: .confirmed)), .work]
        case .deferred(let id):
            guard let record = records[id], case .confirmed = record.state else { return [] }
            return announced(record.moved(to: .deferred))
        case .failed(let id, let failure):
            guard let record = records[id], record.isUnderWay else { return [] }
            return announced(record.moved(to: .failed(failure)))
        case .held(let payment, let transaction, let original):
            return held(payment, transaction, restoredFrom: original)
        case .finished(let id):
            return finished(id)
        case .acknowledged(let id):
            guard case .finished = records[id]?.state else { return [] }
            return [.forget(id)]
        }
    }

    /// Remembers what the journal holds now; call it after the journal was written.
    mutating func apply(_ actions: [Action]) {
        for action in actions {
            switch action {
            case .persist(let record):
                let before = records.updateValue(record, forKey: record.id)
                lastSequence = max(lastSequence, record.sequence)
                if let transaction = record.transactionID { transactions.insert(transaction) }
                if record.isToBeSent, before?.isToBeSent != true { payments.append(record.id) }
                if !record.isVisible { finishes.append(record.id) }
            case .forget(let id):
                if let transaction = records[id]?.transactionID { transactions.remove(transaction) }
                records[id] = nil
            case .announce, .announceRemoval, .work:
                break
            }
        }
        while let id = payments.first, records[id]?.isToBeSent != true { payments.removeFirst() }
        while let id = finishes.first, records[id]?.isVisible != false { finishes.removeFirst() }
    }

    private func announced(_ record: PaymentRecord) -> [Action] {
        [.persist(record), .announce(record)]
    }

    private func held(_ payment: PaymentID?, _ transaction: VerifiedTransaction, restoredFrom original: VerifiedTransaction?) -> [Action] {
        let payload = transaction.payload
        guard !transactions.contains(payload.transactionId) else { return [] }
        let state: PaymentRecord.State =
            original.map { .restored(RecordedTransaction(transaction), original: RecordedTransaction($0)) }
            ?? .purchased(RecordedTransaction(transaction))
        if let record = payment.flatMap({ records[$0] }), record.isUnderWay, record.isAnswered(by: payload) {
            return announced(record.moved(to: state))
        }
        // A payment that is thought to have failed, and was paid all the same, is a transaction of its own.
        guard let id = [payment, PaymentID(of: payload.transactionId)].compactMap({ $0 }).first(where: { records[$0] == nil }) else {
            return []
        }
        let record = PaymentRecord(
            id: id,
            sequence: nextSequence,
            productID: payload.productId,
            quantity: payload.quantity,
            username: payload.appAccountToken?.rawValue,
            product: nil,
            state: state
        )
        return announced(record)
    }

    private func finished(_ id: PaymentID) -> [Action] {
        guard let record = records[id] else { return [] }
        switch record.state {
        case .purchased(let transaction), .restored(let transaction, _):
            return [.persist(record.moved(to: .finished(transaction.id))), .announceRemoval(id), .work]
        case .failed:
            return [.forget(id), .announceRemoval(id)]
        case .queued, .confirmed, .deferred, .finished:
            // Finishing what is still under way would lose it; finishing twice changes nothing.
            return []
        }
    }
}

extension PaymentID {
    /// The identifier of a record that no payment of this device led to.
    fileprivate init(of transaction: TransactionID) {
        self.init("transaction-\(transaction)")
    }
}
