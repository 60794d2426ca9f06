import PurchaseModel
import PurchaseProof

/// The state machine of the payment queue, which accepts events and returns actions to carry out in order.
///
/// The machine uses no clock, file or socket. The actions for a change begin with `.persist` or `.forget`, before any action that depends
/// on the change. A process that carries out the actions in order can therefore be killed between any two of them. `.persist` and `.forget`
/// change both the machine's records and the journal, so that both stay equal.
struct PaymentQueueMachine: Sendable {
    /// An event that changes the payment queue.
    enum Event: Sendable {
        /// The app added a payment.
        case added(PaymentRecord)
        /// The user answered the confirmation sheet; true confirms the payment.
        case confirmed(PaymentID, Bool)
        /// The store has deferred the payment until a parent approves it.
        case deferred(PaymentID)
        /// The payment has failed, for this reason.
        case failed(PaymentID, PaymentFailure)
        /// The store returned a transaction with a verified signature: for a payment, a renewal, a restore, or an unfinished transaction.
        case received(PaymentID?, VerifiedTransaction, restoredFrom: VerifiedTransaction?, content: HostedContent? = nil)
        /// The app finished a transaction.
        case finished(PaymentID)
        /// The app finished a transaction of the account that is not in this device's payment queue.
        case delivered(VerifiedTransaction)
        /// The store has acknowledged that a transaction is finished.
        case acknowledged(PaymentID)
        /// This account has signed in, or the account has signed out (nil).
        case ownerChanged(AccountID?)
    }

    /// An action that the machine requests.
    enum Action: Hashable, Sendable {
        /// Write the record to the journal before the next action.
        case persist(PaymentRecord)
        /// Remove the record from the journal.
        case forget(PaymentID)
        /// Announce the record's state to the app.
        case announce(PaymentRecord)
        /// Announce to the app that the transaction has left the queue.
        case announceRemoval(PaymentID)
        /// Return the result of the payment to the StoreKit 2 purchase call that made the payment.
        case completeCall(PaymentRecord)
        /// Assign the payment queue to this account.
        case setOwner(AccountID?)
        /// Start a pass over the open payments, because a payment needs the user or the store.
        case startPass
    }

    private(set) var records: [PaymentID: PaymentRecord] = [:]
    /// The account that owns the payment queue; payments of other accounts wait until those accounts sign in again.
    private(set) var owner: AccountID?
    private var transactions: [TransactionID: PaymentID] = [:]
    private var lastSequence: Int64 = 0
    private var payments: ArraySlice<PaymentID> = []
    private var finishes: ArraySlice<PaymentID> = []

    /// Creates a machine with the payments of the journal.
    init(journal: [PaymentRecord] = []) {
        apply(journal.sorted { $0.sequence < $1.sequence }.map { .persist($0) })
    }

    /// The records in the order in which they were added.
    var ordered: [PaymentRecord] { records.values.sorted { $0.sequence < $1.sequence } }

    /// Returns whether the app sees a record: it is visible, and belongs to the owner or to no account yet.
    func shows(_ record: PaymentRecord) -> Bool { record.isVisible && isOwned(record) }

    private func isOwned(_ record: PaymentRecord) -> Bool { record.account == nil || record.account == owner }

    /// Returns whether a record for a transaction exists.
    func contains(_ transaction: TransactionID) -> Bool { transactions[transaction] != nil }

    /// Returns whether a transaction may be the result of a confirmed payment whose response has not arrived.
    func awaits(_ transaction: TransactionPayload) -> Bool {
        payments.contains { id in
            guard let record = records[id], case .confirmed = record.state else { return false }
            return record.isFulfilled(by: transaction)
        }
    }

    /// Returns the record of an unfinished transaction, or nil if there is none.
    func record(of transaction: TransactionID) -> PaymentRecord? {
        transactions[transaction].flatMap { records[$0] }.flatMap { $0.recorded == nil ? nil : $0 }
    }

    /// The sequence number of the next record.
    var nextSequence: Int64 { lastSequence == .max ? .max : lastSequence + 1 }

    /// The oldest payment that needs the user's confirmation, or that has to be sent.
    var nextPayment: PaymentRecord? { payments.first.flatMap { records[$0] } }

    /// The oldest record whose transaction the app has finished and the store has not yet acknowledged as finished.
    var nextFinish: PaymentRecord? { finishes.first.flatMap { records[$0] } }

    /// Returns the oldest records whose transactions the store has not yet acknowledged as finished.
    ///
    /// - Parameter count: The maximum number of records.
    func nextFinishes(_ count: Int) -> [PaymentRecord] {
        finishes.lazy.compactMap { records[$0] }.filter(\.isFinished).prefix(count).map { $0 }
    }

    /// Handles an event: decides the actions, applies them to the records, and returns them.
    mutating func handle(_ event: Event) -> [Action] {
        let actions = decide(event)
        apply(actions)
        return actions
    }

    /// Returns the actions for an event, without changing the records; an event without effect has no actions.
    func decide(_ event: Event) -> [Action] {
        switch event {
        case .added(let record):
            guard records[record.id] == nil else { return [] }
            return announced(record.owned(by: owner)) + [.startPass]
        case .confirmed(let id, let isConfirmed):
            guard let record = records[id], case .queued = record.state else { return [] }
            guard isConfirmed else { return failed(record, PaymentFailure(.paymentCancelled)) }
            return [.persist(record.moved(to: .confirmed)), .startPass]
        case .deferred(let id):
            guard let record = records[id], case .confirmed = record.state else { return [] }
            return announced(record.moved(to: .deferred))
        case .failed(let id, let failure):
            guard let record = records[id], record.isUnderWay else { return [] }
            return failed(record, failure)
        case .received(let payment, let transaction, let original, let content):
            return received(payment, transaction, restoredFrom: original, content)
        case .finished(let id):
            return finished(id)
        case .delivered(let transaction):
            let id = transaction.payload.transactionId
            guard !contains(id) else { return [] }
            return [.persist(record(PaymentID(of: id), of: transaction.payload, .finished(id))), .startPass]
        case .acknowledged(let id):
            guard case .finished = records[id]?.state else { return [] }
            return [.forget(id)]
        case .ownerChanged(let account):
            return ownerChanged(account)
        }
    }

    /// Applies actions to the records; the caller writes the same actions to the journal, or undoes them if the journal can't be written.
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
            case .setOwner(let account):
                owner = account
                rebuildSendOrder()
            case .announce, .announceRemoval, .completeCall, .startPass:
                break
            }
        }
        while let id = payments.first, records[id]?.isToBeSent != true { payments.removeFirst() }
        while let id = finishes.first, records[id]?.isFinished != true { finishes.removeFirst() }
    }

    /// Undoes applied actions, because the journal could not be written.
    ///
    /// - Parameter before: The identifiers and previous records of the changed payments, in the order of the changes; nil for a new
    ///   payment.
    mutating func undo(_ before: [(id: PaymentID, record: PaymentRecord?)]) {
        for (id, record) in before.reversed() { records[id] = record }
        transactions = [:]
        for record in records.values {
            if let transaction = record.transactionID { transactions[transaction] = record.id }
        }
        rebuildSendOrder()
    }

    /// Rebuilds the order in which the owner's payments and finishes are sent.
    private mutating func rebuildSendOrder() {
        let owned = ordered.filter(isOwned)
        payments = ArraySlice(owned.filter(\.isToBeSent).map(\.id))
        finishes = ArraySlice(owned.filter(\.isFinished).map(\.id))
    }

    /// Returns the actions that store a record, announce it to the app, and return its result to the purchase call.
    private func announced(_ record: PaymentRecord) -> [Action] {
        var actions = [Action.persist(record)]
        if shows(record) { actions.append(.announce(record)) }
        if record.isPurchaseCall, !record.isToBeSent { actions.append(.completeCall(record)) }
        return actions
    }

    /// Returns the actions for a failed payment.
    ///
    /// The failure stays in the payment queue until the app finishes it, unless a purchase call returns it.
    private func failed(_ record: PaymentRecord, _ failure: PaymentFailure) -> [Action] {
        let record = record.moved(to: .failed(failure))
        return record.isPurchaseCall ? [.forget(record.id), .completeCall(record)] : announced(record)
    }

    private func received(
        _ payment: PaymentID?, _ transaction: VerifiedTransaction, restoredFrom original: VerifiedTransaction?, _ content: HostedContent?
    ) -> [Action] {
        let payload = transaction.payload
        let recorded = RecordedTransaction(transaction, content: content)
        let state: PaymentRecord.State =
            original.map { .restored(recorded, original: RecordedTransaction($0)) } ?? .purchased(recorded)
        let open = payment.flatMap { records[$0] }.flatMap { $0.isUnderWay && $0.isFulfilled(by: payload) ? $0 : nil }
        if let holder = transactions[payload.transactionId].flatMap({ records[$0] }) {
            // The app has finished the transaction from the history before the response to the payment. The payment was charged and must
            // not fail; the observer of the payment finishes the transaction once more.
            guard let open, holder.isFinished else { return [] }
            return [.forget(holder.id)] + announced(open.moved(to: state))
        }
        if let open { return announced(open.moved(to: state)) }
        // When a payment is recorded as failed and was nevertheless charged, its transaction gets a separate record.
        guard let id = [payment, PaymentID(of: payload.transactionId)].compactMap({ $0 }).first(where: { records[$0] == nil }) else {
            return []
        }
        return announced(record(id, of: payload, state))
    }

    /// Returns a record for a transaction that does not result from a payment of this device.
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

    /// Returns the actions for a change of the owner.
    ///
    /// Payments without an account are assigned to the new owner, the previous owner's transactions leave the payment queue, and the new
    /// owner's transactions enter it.
    private func ownerChanged(_ account: AccountID?) -> [Action] {
        guard account != owner else { return [] }
        let waiting = ordered
        var actions: [Action] = []
        if let account {
            actions += waiting.filter { $0.account == nil }.map { .persist($0.owned(by: account)) }
        }
        actions.append(.setOwner(account))
        actions += waiting.filter { $0.isVisible && $0.account != nil && $0.account == owner }.map { .announceRemoval($0.id) }
        actions += waiting.filter { $0.isVisible && $0.account != nil && $0.account == account }.map { .announce($0) }
        return actions + [.startPass]
    }

    private func finished(_ id: PaymentID) -> [Action] {
        guard let record = records[id] else { return [] }
        switch record.state {
        case .purchased(let transaction), .restored(let transaction, _):
            return [.persist(record.moved(to: .finished(transaction.id)))] + (isOwned(record) ? [.announceRemoval(id), .startPass] : [])
        case .failed:
            return [.forget(id)] + (isOwned(record) ? [.announceRemoval(id)] : [])
        case .queued, .confirmed, .deferred, .finished:
            // A finish must not remove an open payment, and a second finish has no effect.
            return []
        }
    }
}

extension PaymentQueueMachine.Action {
    /// Whether the action changes the journal.
    var changesJournal: Bool {
        switch self {
        case .persist, .forget: true
        case .announce, .announceRemoval, .completeCall, .setOwner, .startPass: false
        }
    }
}

extension PaymentID {
    /// Creates the identifier of a record for a transaction without a payment of this device.
    fileprivate init(of transaction: TransactionID) {
        self.init("transaction-\(transaction)")
    }
}
