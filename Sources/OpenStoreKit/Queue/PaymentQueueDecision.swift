import PurchaseModel
import PurchaseProof

/// The decision about events of the payment queue: the machine's records, and the changes that the events so far require.
///
/// The machine changes only after the changes are written, so that a failed write leaves the payment queue unchanged.
struct PaymentQueueDecision {
    typealias Event = PaymentQueueMachine.Event
    typealias Action = PaymentQueueMachine.Action

    private let machine: PaymentQueueMachine
    private var owner: AccountID?
    private var nextSequence: Int64
    /// The changed records; a removed record is nil.
    private var changes: [PaymentID: PaymentQueueRecord?] = [:]
    /// The changed records of transactions; nil for a transaction whose record was removed.
    private var changedHolders: [TransactionID: PaymentID?] = [:]

    init(machine: PaymentQueueMachine) {
        self.machine = machine
        owner = machine.owner
        nextSequence = machine.nextSequence
    }

    /// Returns the actions for an event after the earlier events; an event without effect has no actions.
    mutating func decide(_ event: Event) -> [Action] {
        let actions = actions(for: event)
        for action in actions { note(action) }
        return actions
    }

    private mutating func note(_ action: Action) {
        switch action {
        case .persist(let record):
            changes.updateValue(record, forKey: record.id)
            if let transaction = record.transactionID { changedHolders.updateValue(record.id, forKey: transaction) }
            if record.sequence >= nextSequence { nextSequence = record.sequence == .max ? .max : record.sequence + 1 }
        case .forget(let id):
            if let transaction = record(id)?.transactionID { changedHolders.updateValue(nil, forKey: transaction) }
            changes.updateValue(nil, forKey: id)
        case .setOwner(let account):
            owner = account
        case .announce, .announceRemoval, .completeCall, .startPass:
            break
        }
    }

    private func record(_ id: PaymentID) -> PaymentQueueRecord? {
        if let change = changes[id] { change } else { machine.records[id] }
    }

    /// Returns the record of a transaction, if there is one.
    private func holder(of transaction: TransactionID) -> PaymentQueueRecord? {
        let holder = if let change = changedHolders[transaction] { change } else { machine.holder(of: transaction) }
        return holder.flatMap { record($0) }
    }

    private var ordered: [PaymentQueueRecord] {
        guard !changes.isEmpty else { return machine.ordered }
        let unchanged = machine.records.values.filter { changes[$0.id] == nil }
        return (unchanged + changes.values.compactMap { $0 }).sorted { $0.sequence < $1.sequence }
    }

    private func actions(for event: Event) -> [Action] {
        switch event {
        case .added(let request):
            guard record(request.id) == nil else { return [] }
            return announced(PaymentQueueRecord(request, sequence: nextSequence, account: owner)) + [.startPass]
        case .confirmed(let id, let isConfirmed):
            guard let record = record(id), case .queued = record.state else { return [] }
            guard isConfirmed else { return failed(record, PaymentFailure(.paymentCancelled)) }
            // The end of the sheet's work starts the pass that sends the payment.
            return [.persist(record.moved(to: .confirmed))]
        case .deferred(let id):
            guard let record = record(id), case .confirmed = record.state else { return [] }
            return announced(record.moved(to: .deferred))
        case .failed(let id, let failure):
            guard let record = record(id), record.isUnderWay else { return [] }
            return failed(record, failure)
        case .received(let payment, let transaction, let original, let content):
            return received(payment, transaction, restoredFrom: original, content)
        case .finished(let id):
            return finished(id)
        case .delivered(let transaction):
            let id = transaction.payload.transactionId
            guard holder(of: id) == nil else { return [] }
            return [.persist(record(PaymentID(of: id), of: transaction.payload, .finished(id))), .startPass]
        case .acknowledged(let id):
            guard case .finished = record(id)?.state else { return [] }
            return [.forget(id)]
        case .ownerChanged(let account):
            return ownerChanged(account)
        }
    }

    /// Returns the actions that store a record, announce it to the app, and return its result to the purchase call.
    private func announced(_ record: PaymentQueueRecord) -> [Action] {
        var actions = [Action.persist(record)]
        if record.isVisible, record.belongs(to: owner) { actions.append(.announce(record)) }
        if record.isPurchaseCall, !record.isToBeSent { actions.append(.completeCall(record)) }
        return actions
    }

    /// Returns the actions for a failed payment.
    ///
    /// The failure stays in the payment queue until the app finishes it, unless a purchase call returns it.
    private func failed(_ record: PaymentQueueRecord, _ failure: PaymentFailure) -> [Action] {
        let record = record.moved(to: .failed(failure))
        return record.isPurchaseCall ? [.forget(record.id), .completeCall(record)] : announced(record)
    }

    private func received(
        _ payment: PaymentID?, _ transaction: VerifiedTransaction, restoredFrom original: VerifiedTransaction?, _ content: HostedContent?
    ) -> [Action] {
        let payload = transaction.payload
        let recorded = RecordedTransaction(transaction, content: content)
        let state: PaymentQueueRecord.State =
            original.map { .restored(recorded, original: RecordedTransaction($0)) } ?? .purchased(recorded)
        let open = payment.flatMap { record($0) }.flatMap { $0.isUnderWay && $0.isFulfilled(by: payload) ? $0 : nil }
        if let holder = holder(of: payload.transactionId) {
            // The app has finished the transaction from the history before the response to the payment. The payment was charged and must
            // not fail; the observer of the payment finishes the transaction once more.
            guard let open, holder.isFinished else { return [] }
            return [.forget(holder.id)] + announced(open.moved(to: state))
        }
        if let open { return announced(open.moved(to: state)) }
        // When a payment is recorded as failed and was nevertheless charged, its transaction gets a separate record.
        guard let id = [payment, PaymentID(of: payload.transactionId)].compactMap({ $0 }).first(where: { record($0) == nil }) else {
            return []
        }
        return announced(record(id, of: payload, state))
    }

    /// Returns a record for a transaction that does not result from a payment of this device.
    private func record(_ id: PaymentID, of payload: TransactionPayload, _ state: PaymentQueueRecord.State) -> PaymentQueueRecord {
        let request = PaymentRequest(
            id: id, productID: payload.productId, quantity: payload.quantity, username: payload.appAccountToken?.rawValue, product: nil)
        return PaymentQueueRecord(request, sequence: nextSequence, state: state, account: owner)
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
        actions += waiting.filter { $0.isVisible && $0.account != nil && $0.account == owner }.map {
            .announceRemoval($0.id, .accountChanged)
        }
        actions += waiting.filter { $0.isVisible && $0.account != nil && $0.account == account }.map { .announce($0) }
        return actions + [.startPass]
    }

    private func finished(_ id: PaymentID) -> [Action] {
        guard let record = record(id) else { return [] }
        switch record.state {
        case .purchased(let transaction), .restored(let transaction, _):
            let finish = Action.persist(record.moved(to: .finished(transaction.id)))
            return record.belongs(to: owner) ? [finish, .announceRemoval(id, .finished), .startPass] : [finish]
        case .failed:
            return [.forget(id)] + (record.belongs(to: owner) ? [.announceRemoval(id, .finished)] : [])
        case .queued, .confirmed, .deferred, .finished:
            // A finish must not remove an open payment, and a second finish has no effect.
            return []
        }
    }
}

extension PaymentID {
    /// Creates the identifier of a record for a transaction without a payment of this device.
    fileprivate init(of transaction: TransactionID) {
        self.init("transaction-\(transaction)")
    }
}
