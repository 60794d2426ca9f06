import OpenStoreKit
import PurchaseModel

/// The transactions in an app's payment queue, sorted by their sequence numbers.
///
/// Cost: lookup, appending, and removal of the first transaction take constant time. Reading all transactions copies them once after
/// each change.
struct QueueContents {
    private var known: [PaymentID: SKPaymentTransaction] = [:]
    /// The transactions, sorted by `SKPaymentTransaction.sequence`.
    ///
    /// An array slice removes the first transaction in constant time, as a deque does, and `Array(_:)` copies it as one contiguous
    /// buffer while the queue's lock is held. Copying a deque's two halves element by element lengthens the app's longest calls.
    private var ordered: ArraySlice<SKPaymentTransaction> = []
    private var copy: [SKPaymentTransaction]?

    var isEmpty: Bool { known.isEmpty }

    subscript(id: PaymentID) -> SKPaymentTransaction? { known[id] }

    /// Returns all transactions in the queue, oldest first.
    mutating func all() -> [SKPaymentTransaction] {
        if let copy { return copy }
        let all = Array(ordered)
        copy = all
        return all
    }

    /// Updates the transaction of a payment record, or creates one when the queue has no transaction for the record.
    mutating func update(_ record: PaymentQueueRecord, payment: SKPayment?) -> SKPaymentTransaction {
        if let transaction = known[record.id] {
            transaction.update(record)
            return transaction
        }
        let transaction = SKPaymentTransaction(record, payment: payment)
        known[record.id] = transaction
        // The index is nearly always the end, because the device announces records in the order of their sequence numbers.
        ordered.insert(transaction, at: insertionIndex(after: transaction.sequence))
        copy = nil
        return transaction
    }

    /// Removes the transactions of payments, and returns the removed transactions.
    mutating func remove(_ ids: [PaymentID]) -> [SKPaymentTransaction] {
        let removed = ids.compactMap { known.removeValue(forKey: $0) }
        guard !removed.isEmpty else { return [] }
        copy = nil
        if removed.count == 1, let transaction = removed.first {
            remove(transaction)
        } else {
            let gone = Set(removed.map(ObjectIdentifier.init))
            ordered.removeAll { gone.contains(ObjectIdentifier($0)) }
        }
        // A slice keeps the buffer with the transactions that were removed from its front.
        if ordered.isEmpty { ordered = [] }
        return removed
    }

    private mutating func remove(_ transaction: SKPaymentTransaction) {
        if ordered.first === transaction {
            ordered.removeFirst()
        } else {
            var index = insertionIndex(after: transaction.sequence)
            while index > ordered.startIndex {
                index -= 1
                if ordered[index] === transaction {
                    ordered.remove(at: index)
                    return
                }
            }
        }
    }

    /// Returns the index after all transactions with the same or a lower sequence number.
    private func insertionIndex(after sequence: Int64) -> Int {
        guard let last = ordered.last, last.sequence > sequence else { return ordered.endIndex }
        var (low, high) = (ordered.startIndex, ordered.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if ordered[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
