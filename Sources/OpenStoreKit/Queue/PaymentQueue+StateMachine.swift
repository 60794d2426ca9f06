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
        case held(PaymentID?, VerifiedTransaction, restoredFrom: VerifiedTransaction?, content: HostedContent? = nil)
        /// The app finished a transaction.
        case finished(PaymentID)
        /// The app finished a transaction of the account that is not in this device's queue.
        case delivered(VerifiedTransaction)
        /// The store knows that a transaction is finished.
        case acknowledged(PaymentID)
        /// Another account uses the device from now on, or none does.
        case ownerChanged(AccountID?)
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
        /// Answer the purchase call of StoreKit 2 that made the payment; it has ended so, or goes on without its caller.
        case conclude(PaymentRecord)
        /// From now on the queue is this account's.
        case own(AccountID?)
        /// There is something to ask the user or to send.
        case work
    }

    private(set) var records: [PaymentID: PaymentRecord] = [:]
    /// Whose queue it is; payments of other accounts wait until they come back.
    private(set) var owner: AccountID?
    private var transactions: [TransactionID: PaymentID] = [:]
    private var lastSequence: Int64 = 0
    private var payments: ArraySlice<PaymentID> = []
    private var finishes: ArraySlice<PaymentID> = []

    /// Starts with what the journal holds.
    init(journal: [PaymentRecord] = []) {
        apply(journal.sorted { $0.sequence < $1.sequence }.map { .persist($0) })
    }

    /// The records in the order in which they were added.
    var ordered: [PaymentRecord] { records.values.sorted { $0.sequence < $1.sequence } }

    /// Whether the app sees a record: it is the owner's, or nobody's yet.
    func shows(_ record: PaymentRecord) -> Bool { record.isVisible && isOwned(record) }

    private func isOwned(_ record: PaymentRecord) -> Bool { record.account == nil || record.account == owner }

    /// Whether a transaction is in the queue already.
    func holds(_ transaction: TransactionID) -> Bool { transactions[transaction] != nil }

    /// The record of a transaction that the app has to deliver and finish.
    func record(of transaction: TransactionID) -> PaymentRecord? {
        transactions[transaction].flatMap { records[$0] }.flatMap { $0.recorded == nil ? nil : $0 }
    }

    /// The order number of the next record.
    var nextSequence: Int64 { lastSequence == .max ? .max : lastSequence + 1 }

    /// The oldest payment that the user has to be asked about, or that has to be sent.
    var nextPayment: PaymentRecord? { payments.first.flatMap { records[$0] } }

    /// The transaction of whose finish the store has to be told next.
    var nextFinish: PaymentRecord? { finishes.first.flatMap { records[$0] } }

    /// The transactions of whose finish the store has to be told, as many as are told at once.
    func nextFinishes(_ count: Int) -> [PaymentRecord] {
        finishes.lazy.compactMap { records[$0] }.filter(\.isFinished).prefix(count).map { $0 }
    }

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
            return announced(record.owned(by: owner)) + [.work]
        case .confirmed(let id, let yes):
            guard let record = records[id], case .queued = record.state else { return [] }
            guard yes else { return failed(record, PaymentFailure(.paymentCancelled)) }
            return [.persist(record.moved(to: .confirmed)), .work]
        case .deferred(let id):
            guard let record = records[id], case .confirmed = record.state else { return [] }
            return announced(record.moved(to: .deferred))
        case .failed(let id, let failure):
            guard let record = records[id], record.isUnderWay else { return [] }
            return failed(record, failure)
        case .held(let payment, let transaction, let original, let content):
            return held(payment, transaction, restoredFrom: original, content)
        case .finished(let id):
            return finished(id)
        case .delivered(let transaction):
            let id = transaction.payload.transactionId
            guard !holds(id) else { return [] }
            return [.persist(record(PaymentID(of: id), of: transaction.payload, .finished(id))), .work]
        case .acknowledged(let id):
            guard case .finished = records[id]?.state else { return [] }
            return [.forget(id)]
        case .ownerChanged(let account):
            return ownerChanged(account)
        }
    }

    /// Remembers what the journal holds now; call it after the journal was written.
    mutating func apply(_ actions: [Action]) {
        for action in actions {
            switch action {
            case .persist(let record):
                let before = records.updateValue(record, forKey: record.id)
                lastSequence = max(lastSequence, record.sequence)
                if let transaction = record.transactionID { transactions[transaction] = record.id }
                guard isOwned(record) else { continue }
                if record.isToBeSent, before?.isToBeSent != true { payments.append(record.id) }
                if record.isFinished { finishes.append(record.id) }
            case .forget(let id):
                if let transaction = records[id]?.transactionID { transactions[transaction] = nil }
                records[id] = nil
            case .own(let account):
                owner = account
                lineUp()
            case .announce, .announceRemoval, .conclude, .work:
                break
            }
        }
        while let id = payments.first, records[id]?.isToBeSent != true { payments.removeFirst() }
        while let id = finishes.first, records[id]?.isFinished != true { finishes.removeFirst() }
    }

    /// Takes back what was applied, because the journal could not be written.
    ///
    /// - Parameter records: What stood there before, each as often as it was changed, in order.
    mutating func undo(_ before: [(id: PaymentID, record: PaymentRecord?)]) {
        for (id, record) in before.reversed() { records[id] = record }
        transactions = [:]
        for record in records.values {
            if let transaction = record.transactionID { transactions[transaction] = record.id }
        }
        lineUp()
    }

    /// Puts what the owner has to send into order anew.
    private mutating func lineUp() {
        let owned = ordered.filter(isOwned)
        payments = ArraySlice(owned.filter(\.isToBeSent).map(\.id))
        finishes = ArraySlice(owned.filter(\.isFinished).map(\.id))
    }

    /// What the owner sees is announced; what a purchase call has made is answered to the call.
    private func announced(_ record: PaymentRecord) -> [Action] {
        var actions = [Action.persist(record)]
        if shows(record) { actions.append(.announce(record)) }
        if record.isCall == true, !record.isToBeSent { actions.append(.conclude(record)) }
        return actions
    }

    /// A failure stays until the app has finished it; that of a purchase call is over with its answer.
    private func failed(_ record: PaymentRecord, _ failure: PaymentFailure) -> [Action] {
        let record = record.moved(to: .failed(failure))
        return record.isCall == true ? [.forget(record.id), .conclude(record)] : announced(record)
    }

    private func held(
        _ payment: PaymentID?, _ transaction: VerifiedTransaction, restoredFrom original: VerifiedTransaction?, _ content: HostedContent?
    ) -> [Action] {
        let payload = transaction.payload
        guard !holds(payload.transactionId) else { return [] }
        let recorded = RecordedTransaction(transaction, content: content)
        let state: PaymentRecord.State =
            original.map { .restored(recorded, original: RecordedTransaction($0)) } ?? .purchased(recorded)
        if let record = payment.flatMap({ records[$0] }), record.isUnderWay, record.isAnswered(by: payload) {
            return announced(record.moved(to: state))
        }
        // A payment that is thought to have failed, and was paid all the same, is a transaction of its own.
        guard let id = [payment, PaymentID(of: payload.transactionId)].compactMap({ $0 }).first(where: { records[$0] == nil }) else {
            return []
        }
        return announced(record(id, of: payload, state))
    }

    /// The record of what no payment of this device has led to.
    private func record(_ id: PaymentID, of payload: TransactionPayload, _ state: PaymentRecord.State) -> PaymentRecord {
        PaymentRecord(
            id: id,
            sequence: nextSequence,
            productID: payload.productId,
            quantity: payload.quantity,
            username: payload.appAccountToken?.rawValue,
            product: nil,
            state: state,
            account: owner
        )
    }

    /// What nobody owned is the new owner's; what was the old one's leaves the queue, and what is the new one's comes back.
    private func ownerChanged(_ account: AccountID?) -> [Action] {
        guard account != owner else { return [] }
        let waiting = ordered
        var actions: [Action] = []
        if let account {
            actions += waiting.filter { $0.account == nil }.map { .persist($0.owned(by: account)) }
        }
        actions.append(.own(account))
        actions += waiting.filter { $0.isVisible && $0.account != nil && $0.account == owner }.map { .announceRemoval($0.id) }
        actions += waiting.filter { $0.isVisible && $0.account != nil && $0.account == account }.map { .announce($0) }
        return actions + [.work]
    }

    private func finished(_ id: PaymentID) -> [Action] {
        guard let record = records[id] else { return [] }
        switch record.state {
        case .purchased(let transaction), .restored(let transaction, _):
            return [.persist(record.moved(to: .finished(transaction.id)))] + (isOwned(record) ? [.announceRemoval(id), .work] : [])
        case .failed:
            return [.forget(id)] + (isOwned(record) ? [.announceRemoval(id)] : [])
        case .queued, .confirmed, .deferred, .finished:
            // Finishing what is still under way would lose it; finishing twice changes nothing.
            return []
        }
    }
}

extension PaymentQueueMachine.Action {
    /// Whether the journal has to be written.
    var changesJournal: Bool {
        switch self {
        case .persist, .forget: true
        case .announce, .announceRemoval, .conclude, .own, .work: false
        }
    }
}

extension PaymentID {
    /// The identifier of a record that no payment of this device led to.
    fileprivate init(of transaction: TransactionID) {
        self.init("transaction-\(transaction)")
    }
}
