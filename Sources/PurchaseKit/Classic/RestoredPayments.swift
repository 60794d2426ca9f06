import PurchaseModel
import StoreKit
import Synchronization

/// The restored transactions in the payment queue, until a person has chosen the products to restore.
final class RestoredPayments: Sendable {
    /// The outcome of a restore in the payment queue.
    enum Ending: Sendable {
        /// The queue has announced every restored transaction.
        case finished
        /// The restore failed; the failure is nil for a cancellation.
        case failed(PurchaseFailure?)
    }

    private struct State {
        /// The transactions, and the order in which the queue has announced them.
        var transactions: [ObjectIdentifier: (order: Int, transaction: SKPaymentTransaction)] = [:]
        var next = 0
        /// The transactions that no event has announced, and that no restore has offered.
        var unannounced: Set<ObjectIdentifier> = []
        var isRunning = false
        var ending: AsyncStream<Ending>.Continuation?

        var ordered: [SKPaymentTransaction] { transactions.values.sorted { $0.order < $1.order }.map(\.transaction) }
    }

    private let state = Mutex(State())

    /// Adds restored transactions, unless the transactions were added before.
    func keep(_ transactions: [SKPaymentTransaction]) {
        state.withLock { state in
            for transaction in transactions where state.transactions[ObjectIdentifier(transaction)] == nil {
                state.next += 1
                state.transactions[ObjectIdentifier(transaction)] = (state.next, transaction)
                state.unannounced.insert(ObjectIdentifier(transaction))
            }
        }
    }

    func remove(_ transactions: [SKPaymentTransaction]) {
        state.withLock { state in
            for transaction in transactions {
                state.transactions[ObjectIdentifier(transaction)] = nil
                state.unannounced.remove(ObjectIdentifier(transaction))
            }
        }
    }

    /// The transactions, in the order of the queue.
    var all: [SKPaymentTransaction] { state.withLock { $0.ordered } }

    /// Returns the products of unannounced transactions, and marks the transactions as announced; empty while a restore is running.
    func takeUnannounced() -> [ProductID] {
        state.withLock { state in
            guard !state.isRunning, !state.unannounced.isEmpty else { return [] }
            let new = state.ordered.filter { state.unannounced.contains(ObjectIdentifier($0)) }
            state.unannounced = []
            var seen: Set<ProductID> = []
            return new.map { ProductID($0.payment.productIdentifier) }.filter { seen.insert($0).inserted }
        }
    }

    // MARK: - Running

    /// Calls a closure that requests a restore from the queue, and returns the ending of the restore; nil if the task is canceled.
    ///
    /// The restore is running until ``end()``.
    func ending(of request: @Sendable () -> Void) async -> Ending? {
        let (endings, continuation) = AsyncStream.makeStream(of: Ending.self)
        state.withLock { state in
            state.isRunning = true
            state.ending = continuation
        }
        request()
        return await endings.first { _ in true }
    }

    /// Passes the ending of a restore to the waiting caller; without a waiting caller, the ending is ignored.
    func receive(_ ending: Ending) {
        state.withLock { state in
            defer { state.ending = nil }
            return state.ending
        }?.yield(ending)
    }

    /// Marks all transactions as announced, because their products were offered to a person.
    func markOffered() {
        state.withLock { $0.unannounced = [] }
    }

    /// Marks the restore as ended, so that new restored transactions can be announced.
    func end() {
        state.withLock { state in
            state.isRunning = false
            state.ending = nil
        }
    }
}
