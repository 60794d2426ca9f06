import PurchaseModel
import PurchaseProof

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
                do throws(Unproven) {
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
            // The failure is forgotten with its answer; this one is more telling.
            let call = calls.removeValue(forKey: id)
            try? take(.failed(id, PaymentFailure(.unknown)))
            call?.resume(returning: .unreachable)
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
    }

    /// The transactions that the app has to deliver and finish, oldest first.
    func unfinished() -> [SignedTransaction] {
        machine.ordered.filter(machine.shows).compactMap(\.recorded?.signed)
    }

    /// Marks a transaction as delivered; that is in the journal when it returns, or the transaction comes back.
    func finish(_ transaction: TransactionID) {
        guard let record = machine.record(of: transaction) else { return }
        try? take(.finished(record.id))
    }
}
