import PurchaseModel
import PurchaseProof
import PurchaseProtocol

/// What StoreKit 2 asks of the queue: a purchase call that returns, and transactions as they stand.
extension PaymentEngine {
    /// Takes a payment that somebody waits for.
    func call(_ request: PaymentRequest, _ continuation: CheckedContinuation<PurchaseConclusion, Never>) {
        do throws(Stalled) {
            calls[request.id] = continuation
            try take(.added(request.record(sequence: machine.nextSequence)))
        } catch {
            answer(request.id, .failed(PaymentFailure(.unknown, "The payment can't be kept on this device.")))
        }
    }

    /// Answers the call that made a payment; when it has gone, what came of the payment is told like any other news.
    func conclude(_ record: PaymentRecord) {
        switch record.state {
        case .purchased(let recorded):
            guard let call = calls.removeValue(forKey: record.id) else { return }
            answered.insert(recorded.id)
            Task { [session] in
                do throws(VerificationFailure) {
                    call.resume(returning: .purchased(try await session.verify(recorded.signed)))
                } catch {
                    call.resume(returning: .unverified(recorded.signed, error))
                }
            }
        case .failed(let failure) where failure == PaymentFailure(.paymentCancelled):
            answer(record.id, .cancelled)
        case .failed(let failure):
            answer(record.id, .failed(failure))
        case .deferred:
            answer(record.id, .pending)
        case .queued, .confirmed, .restored, .finished:
            break
        }
    }

    /// Ends a call; whether somebody waited for it.
    @discardableResult
    func answer(_ id: PaymentID, _ conclusion: PurchaseConclusion) -> Bool {
        guard let call = calls.removeValue(forKey: id) else { return false }
        call.resume(returning: conclusion)
        return true
    }

    /// Nobody waits for the network with a purchase sheet open: what was not confirmed is over, the rest goes on by itself.
    func releaseCalls() {
        for id in calls.keys.sorted() {
            guard case .queued = machine.records[id]?.state else {
                answer(id, .pending)
                continue
            }
            // The failure is forgotten with its answer; this one is more telling. One that can't be written has not happened.
            let call = calls.removeValue(forKey: id)
            let isOver = (try? take(.failed(id, PaymentFailure(.unknown)))) != nil
            call?.resume(returning: isOver ? .unreachable : .pending)
        }
    }

    /// A call of an account that has left is over; what its user had confirmed goes on when the account is back.
    func releaseForeignCalls() {
        for id in calls.keys.sorted() {
            guard let record = machine.records[id], let account = record.account, account != machine.owner else { continue }
            if case .queued = record.state {
                try? take(.failed(id, PaymentFailure(.paymentCancelled)))
            }
            answer(id, .pending)
        }
    }

    /// Tells a listener from now on; the first of a launch is told of everything unfinished.
    func listen(_ continuation: AsyncStream<SignedTransaction>.Continuation) {
        guard news.updates.add(continuation) else { return }
        for record in machine.ordered where machine.shows(record) {
            guard let transaction = record.recorded, !answered.contains(transaction.id) else { continue }
            continuation.yield(transaction.signed)
        }
        for (id, signed) in unfinishedElsewhere where answered.insert(id).inserted { continuation.yield(signed) }
    }

    /// The transactions that the app has to deliver and finish: those in the queue, and then those of the account's other devices.
    func unfinished() async -> [SignedTransaction] {
        await upToDate()
        return machine.ordered.filter(machine.shows).compactMap(\.recorded?.signed) + unfinishedElsewhere.map(\.signed)
    }

    /// A transaction of the queue, or the first one of a restored purchase, as the store signed it; nil for others.
    func signed(_ transaction: TransactionID) -> SignedTransaction? {
        for record in machine.ordered where machine.shows(record) {
            if let recorded = record.recorded, recorded.id == transaction { return recorded.signed }
            if case .restored(_, let original) = record.state, original.id == transaction { return original.signed }
        }
        return nil
    }

    /// What the account has not finished, and what is not in this device's queue.
    private var unfinishedElsewhere: [(id: TransactionID, signed: SignedTransaction)] {
        guard let account = machine.owner, let known = try? journal.unfinished(of: account) else { return [] }
        return known.filter { !machine.holds($0.id) }
    }

    /// Marks a transaction as delivered; that is in the journal when it returns, or the transaction comes back.
    ///
    /// It may be one that another device of the account has bought, or this one before it was wiped.
    func finish(_ transaction: TransactionID) async {
        if let record = machine.record(of: transaction) {
            try? take(.finished(record.id))
            return
        }
        guard let account = machine.owner, let known = try? journal.purchases(of: account, .transaction(transaction)).first,
            !known.isFinished, let verified = try? await session.verify(known.transaction), account == machine.owner
        else { return }
        try? take(.delivered(verified))
    }
}
