import PurchaseModel
import PurchaseProof
import PurchaseProtocol

/// The engine's functions for StoreKit 2: purchase calls that wait for a result, transaction updates, and unfinished transactions.
extension PaymentEngine {
    /// Adds a payment whose purchase call waits for the result.
    func call(_ request: PaymentRequest, _ continuation: CheckedContinuation<PurchaseCallResult, Never>) {
        do throws(Stalled) {
            calls[request.id] = continuation
            try apply(.added(request.record(sequence: machine.nextSequence)))
        } catch {
            answer(request.id, .failed(PaymentFailure(.unknown, "The payment can't be saved. Free some disk space.")))
        }
    }

    /// Returns the result of a payment to its purchase call; if the call has ended, listeners for updates receive the transaction.
    func completeCall(_ record: PaymentRecord) {
        switch record.state {
        case .purchased(let recorded):
            guard let call = calls.removeValue(forKey: record.id) else { return }
            deliveredTransactions.insert(recorded.id)
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

    /// Returns a result to the purchase call of a payment, if the call still waits.
    ///
    /// - Returns: Whether the call was waiting.
    @discardableResult
    func answer(_ id: PaymentID, _ callResult: PurchaseCallResult) -> Bool {
        guard let call = calls.removeValue(forKey: id) else { return false }
        call.resume(returning: callResult)
        return true
    }

    /// Ends the waiting purchase calls, because the store can't be reached.
    ///
    /// Unconfirmed payments fail. Confirmed payments continue without their purchase calls.
    func releaseCalls() {
        for id in calls.keys.sorted() {
            guard case .queued = machine.records[id]?.state else {
                answer(id, .pending)
                continue
            }
            // The call is removed first, so that it returns `.unreachable` and not the failure of the record. If the failure can't be
            // written, the payment continues.
            let call = calls.removeValue(forKey: id)
            let hasFailed = (try? apply(.failed(id, PaymentFailure(.unknown)))) != nil
            call?.resume(returning: hasFailed ? .unreachable : .pending)
        }
    }

    /// Ends the purchase calls of an account that has signed out.
    ///
    /// Unconfirmed payments are canceled. Confirmed payments continue when the account signs in again.
    func releaseForeignCalls() {
        for id in calls.keys.sorted() {
            guard let record = machine.records[id], let account = record.account, account != machine.owner else { continue }
            if case .queued = record.state {
                try? apply(.failed(id, PaymentFailure(.paymentCancelled)))
            }
            answer(id, .pending)
        }
    }

    /// Adds a listener for transaction updates; the first listener of an app session also receives every unfinished transaction.
    func listen(_ continuation: AsyncStream<SignedTransaction>.Continuation) {
        guard deviceEvents.updates.add(continuation) else { return }
        for record in machine.ordered where machine.shows(record) {
            guard let transaction = record.recorded, !deliveredTransactions.contains(transaction.id) else { continue }
            continuation.yield(transaction.signed)
        }
        for (id, signed) in unfinishedElsewhere where !deliveredTransactions.contains(id) { report(id, signed) }
    }

    /// Returns the unfinished transactions: first those in the payment queue, then those of the account's other devices.
    func unfinished() async -> [SignedTransaction] {
        await refreshHistory()
        return machine.ordered.filter(machine.shows).compactMap(\.recorded?.signed)
            + unfinishedElsewhere.map(\.signed).filter { !isAwaited($0) }
    }

    /// Returns the signed form of a transaction in the payment queue, or of the original transaction of a restored one; nil for others.
    func signed(_ transaction: TransactionID) -> SignedTransaction? {
        for record in machine.ordered where machine.shows(record) {
            if let recorded = record.recorded, recorded.id == transaction { return recorded.signed }
            if case .restored(_, let original) = record.state, original.id == transaction { return original.signed }
        }
        return nil
    }

    /// The account's unfinished transactions that are not in this device's payment queue.
    var unfinishedElsewhere: [(id: TransactionID, signed: SignedTransaction)] {
        guard let account = machine.owner, let known = try? journal.unfinished(of: account) else { return [] }
        return known.filter { !machine.contains($0.id) }
    }

    /// Marks a transaction as finished, and writes the mark to the journal.
    ///
    /// If the journal can't be written, the transaction stays unfinished, and the device delivers it again. The transaction may come from
    /// another device of the account, or from this device before it was erased.
    func finish(_ transaction: TransactionID) async {
        if let record = machine.record(of: transaction) {
            try? apply(.finished(record.id))
            return
        }
        guard let account = machine.owner, let known = try? journal.purchases(of: account, .transaction(transaction)).first,
            !known.isFinished, let verified = try? await session.verify(known.signedTransaction), account == machine.owner
        else { return }
        try? apply(.delivered(verified))
    }
}
