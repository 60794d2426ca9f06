package import PurchaseModel
package import PurchaseProof

/// The result of StoreKit 2's purchase call.
package enum PurchaseCallResult: Sendable {
    /// The purchase was charged, and the store's signature was verified.
    case purchased(VerifiedTransaction)
    /// The store responded with a transaction that could not be verified.
    case unverified(SignedTransaction, VerificationFailure)
    /// The purchase continues in the background: a parent must approve it, or the store could not be reached after the user's
    /// confirmation.
    case pending
    /// The user canceled the purchase.
    case cancelled
    /// The purchase failed, for this reason.
    case failed(PaymentFailure)
    /// The store can't be reached; the user has confirmed nothing, and nothing will be charged.
    case unreachable
}

/// StoreKit 2's purchase calls that wait for the result of a payment.
final class PurchaseCalls {
    private let session: StoreSession
    private let queue: PaymentQueue
    private let updates: TransactionUpdates
    private var waiting: [PaymentID: CheckedContinuation<PurchaseCallResult, Never>] = [:]

    init(session: StoreSession, queue: PaymentQueue, updates: TransactionUpdates) {
        self.session = session
        self.queue = queue
        self.updates = updates
    }

    /// Adds a payment whose call waits for the result.
    func add(_ request: PaymentRequest, _ call: CheckedContinuation<PurchaseCallResult, Never>) {
        waiting[request.id] = call
        do throws(PaymentQueue.Stalled) {
            try queue.apply([.added(request)])
        } catch {
            answer(request.id, .failed(.notSaved))
        }
    }

    /// Returns a result to the purchase call of a payment, if the call still waits.
    func answer(_ id: PaymentID, _ callResult: PurchaseCallResult) {
        waiting.removeValue(forKey: id)?.resume(returning: callResult)
    }

    /// Returns the state of a payment to its purchase call, if the state is a result.
    func complete(_ record: PaymentQueueRecord) {
        switch record.state {
        case .purchased(let recorded):
            guard let call = waiting.removeValue(forKey: record.id) else { return }
            updates.markDelivered(recorded.id)
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

    /// Ends the waiting calls, because the store can't be reached.
    ///
    /// Unconfirmed payments fail. Confirmed payments continue without their calls.
    func release() {
        for id in waiting.keys.sorted() {
            guard case .queued = queue.machine.records[id]?.state else {
                answer(id, .pending)
                continue
            }
            // The call is removed first, so that it returns `.unreachable` and not the failure of the record. If the failure can't be
            // written, the payment continues.
            let call = waiting.removeValue(forKey: id)
            let hasFailed = (try? queue.apply([.failed(id, PaymentFailure(.unknown))])) != nil
            call?.resume(returning: hasFailed ? .unreachable : .pending)
        }
    }

    /// Ends the calls of an account that has signed out.
    ///
    /// Unconfirmed payments are canceled. Confirmed payments continue when the account signs in again.
    func ownerChanged() {
        for id in waiting.keys.sorted() {
            guard let record = queue.machine.records[id], let account = record.account, account != queue.machine.owner else { continue }
            // If the failure can't be written, the payment waits for its account.
            if case .queued = record.state { try? queue.apply([.failed(id, PaymentFailure(.paymentCancelled))]) }
            answer(id, .pending)
        }
    }

    /// Ends all calls; their payments continue without them.
    func end() {
        for call in waiting.values { call.resume(returning: .pending) }
        waiting = [:]
    }
}
