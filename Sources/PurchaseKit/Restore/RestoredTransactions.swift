import Foundation
import PurchaseModel
import StoreKit

/// The transactions that a restore of StoreKit 1 created from purchases and renewals.
///
/// StoreKit 2 reports restored transactions in `Transaction.updates` and `Transaction.unfinished` without a mark. Restored transactions
/// must not be delivered on arrival, because a person first chooses products. By its identifiers alone, a restored transaction looks like a
/// renewal or a repeated purchase: `id` differs from `originalID`. The account's history distinguishes the cases: a restored period of a
/// subscription has the order line of an earlier transaction, and the history lists a repeated purchase, but no restored transaction.
actor RestoredTransactions {
    private struct Period {
        let id: UInt64
        let date: Date
    }

    private var listed: Set<UInt64> = []
    /// The first transaction of each period of a subscription, by `webOrderLineItemID`.
    private var periods: [OpaqueText: Period] = [:]
    /// The current or last reading of the history; `next` is the reading that follows.
    private var current: Task<Void, Never>?
    private var next: Task<Void, Never>?

    /// Returns whether a restore of StoreKit 1 created a transaction.
    ///
    /// If the history can't be read, the transaction of a subscription counts as a renewal, and the transaction of any other product as
    /// restored.
    func contains(_ transaction: StoreKit.Transaction) async -> Bool {
        guard transaction.id != transaction.originalID, ![.consumable, .nonRenewable].contains(transaction.productType) else {
            return false
        }
        if let isRestored = isRestored(transaction) { return isRestored }
        await readHistory()
        return isRestored(transaction) ?? (transaction.productType != .autoRenewable)
    }

    /// Returns whether a transaction is restored according to the history read so far; nil if the history is not sufficient.
    private func isRestored(_ transaction: StoreKit.Transaction) -> Bool? {
        if let period = transaction.period { return periods[period].map { $0.id != transaction.id } }
        return listed.contains(transaction.id) ? false : nil
    }

    /// Waits for a reading of the history that begins after the call; calls that wait at the same time share one reading.
    private func readHistory() async {
        if let next { return await next.value }
        let task = Task { [current] in
            // Read again after the current reading, which began before the call and may lack the transaction.
            await current?.value
            await read()
        }
        next = task
        await task.value
    }

    private func read() async {
        (current, next) = (next, nil)
        for await result in StoreKit.Transaction.all {
            let transaction = result.unsafePayloadValue
            listed.insert(transaction.id)
            guard let period = transaction.period else { continue }
            if let known = periods[period], (known.date, known.id) <= (transaction.purchaseDate, transaction.id) { continue }
            periods[period] = Period(id: transaction.id, date: transaction.purchaseDate)
        }
    }
}

extension StoreKit.Transaction {
    /// The identifier of the charge of a subscription's period; nil for other products.
    fileprivate var period: OpaqueText? {
        guard productType == .autoRenewable, let line = webOrderLineItemID, !line.isEmpty, line != "0" else { return nil }
        return OpaqueText(line)
    }
}
