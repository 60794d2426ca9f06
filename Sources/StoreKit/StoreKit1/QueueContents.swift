import OpenStoreKit
import PurchaseModel

/// The transactions that an app sees in its queue, in the order in which they came.
///
/// Cost: finding one and adding one are the same for any number; removing the first is, too; reading all of them copies once after each
/// change.
struct QueueContents {
    private var known: [PaymentID: SKPaymentTransaction] = [:]
    /// Sorted by sequence.
    private var ordered: ArraySlice<SKPaymentTransaction> = []
    private var copy: [SKPaymentTransaction]?

    var isEmpty: Bool { known.isEmpty }

    subscript(id: PaymentID) -> SKPaymentTransaction? { known[id] }

    /// All of them, oldest first.
    mutating func all() -> [SKPaymentTransaction] {
        if let copy { return copy }
        let all = Array(ordered)
        copy = all
        return all
    }

    /// The transaction of a record as it is now, made when it is new.
    mutating func update(_ record: PaymentRecord, payment: SKPayment?) -> SKPaymentTransaction {
        if let transaction = known[record.id] {
            transaction.update(record)
            return transaction
        }
        let transaction = SKPaymentTransaction(record, payment: payment)
        known[record.id] = transaction
        // Nearly always the end: records are announced in their order.
        ordered.insert(transaction, at: place(after: transaction.sequence))
        copy = nil
        return transaction
    }

    /// Removes transactions; those that were there.
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
        return removed
    }

    private mutating func remove(_ transaction: SKPaymentTransaction) {
        if ordered.first === transaction {
            ordered.removeFirst()
        } else {
            var index = place(after: transaction.sequence)
            while index > ordered.startIndex {
                index -= 1
                if ordered[index] === transaction {
                    ordered.remove(at: index)
                    return
                }
            }
        }
    }

    /// Where a transaction with this sequence goes: after all that came no later.
    private func place(after sequence: Int64) -> Int {
        guard let last = ordered.last, last.sequence > sequence else { return ordered.endIndex }
        var (low, high) = (ordered.startIndex, ordered.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if ordered[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
