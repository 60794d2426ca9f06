import DequeModule
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
        case added(PaymentRequest)
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
        case persist(PaymentQueueRecord)
        /// Remove the record from the journal.
        case forget(PaymentID)
        /// Announce the record's state to the app.
        case announce(PaymentQueueRecord)
        /// Announce to the app that the transaction has left the queue.
        case announceRemoval(PaymentID, RemovalReason)
        /// Return the result of the payment to the StoreKit 2 purchase call that made the payment.
        case completeCall(PaymentQueueRecord)
        /// Assign the payment queue to this account.
        case setOwner(AccountID?)
        /// Start a pass over the open payments, because a payment needs the user or the store.
        case startPass
    }

    private(set) var records: [PaymentID: PaymentQueueRecord] = [:]
    /// The account that owns the payment queue; payments of other accounts wait until those accounts sign in again.
    private(set) var owner: AccountID?
    private var transactions: [TransactionID: PaymentID] = [:]
    private var lastSequence: Int64 = 0
    private var payments: Deque<PaymentID> = []
    private var finishes: Deque<PaymentID> = []

    /// Creates a machine with the payments of the journal.
    init(journal: [PaymentQueueRecord] = []) {
        apply(journal.sorted { $0.sequence < $1.sequence }.map { .persist($0) })
    }

    /// The records in the order in which they were added.
    var ordered: [PaymentQueueRecord] { records.values.sorted { $0.sequence < $1.sequence } }

    /// Returns whether the app sees a record: it is visible, and belongs to the owner or to no account yet.
    func shows(_ record: PaymentQueueRecord) -> Bool { record.isVisible && record.belongs(to: owner) }

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
    func record(of transaction: TransactionID) -> PaymentQueueRecord? {
        transactions[transaction].flatMap { records[$0] }.flatMap { $0.recorded == nil ? nil : $0 }
    }

    /// The sequence number of the next record.
    var nextSequence: Int64 { lastSequence == .max ? .max : lastSequence + 1 }

    /// The oldest payment that needs the user's confirmation, or that has to be sent.
    var nextPayment: PaymentQueueRecord? { payments.first.flatMap { records[$0] } }

    /// The oldest record whose transaction the app has finished and the store has not yet acknowledged as finished.
    var nextFinish: PaymentQueueRecord? { finishes.first.flatMap { records[$0] } }

    /// Returns the oldest records whose transactions the store has not yet acknowledged as finished.
    ///
    /// - Parameter count: The maximum number of records.
    func nextFinishes(_ count: Int) -> [PaymentQueueRecord] {
        finishes.lazy.compactMap { records[$0] }.filter(\.isFinished).prefix(count).map { $0 }
    }

    /// Returns the actions for events, in order, without changing the records; an event without effect has no actions.
    ///
    /// Each event is decided with the effects of the events before it. The cost grows with the number of events and not with the number of
    /// records, except for a change of the owner.
    func decide(_ events: [Event]) -> [Action] {
        var decision = PaymentQueueDecision(machine: self)
        return events.flatMap { decision.decide($0) }
    }

    /// Returns whether an event has no effect now.
    func ignores(_ event: Event) -> Bool { decide([event]).isEmpty }

    /// Applies actions to the records, after the caller has written the same actions to the journal.
    mutating func apply(_ actions: [Action]) {
        for action in actions {
            switch action {
            case .persist(let record):
                let before = records.updateValue(record, forKey: record.id)
                lastSequence = max(lastSequence, record.sequence)
                if let transaction = record.transactionID { transactions[transaction] = record.id }
                guard record.belongs(to: owner) else { continue }
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

    /// Rebuilds the order in which the owner's payments and finishes are sent.
    private mutating func rebuildSendOrder() {
        let owned = ordered.filter { $0.belongs(to: owner) }
        payments = Deque(owned.filter(\.isToBeSent).map(\.id))
        finishes = Deque(owned.filter(\.isFinished).map(\.id))
    }

    /// The identifier of the record of a transaction, if there is one.
    func holder(of transaction: TransactionID) -> PaymentID? { transactions[transaction] }
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
