import Foundation
import PurchaseModel
import PurchaseProof
import StoreKit
import Wire

/// Finds the purchases that can be restored, and delivers those that a person has chosen.
struct RestoreSession: Sendable {
    let vault: Vault
    let reader: PurchaseReader
    let engine: FulfillmentEngine
    let ledger: CreditLedger
    let restored: RestoredTransactions
    let book: EntitlementBook
    let clock: TrustedClock
    /// The App Store and, for an app with a server, the server.
    let sources: Set<RestoreSource>
    /// The time limit of the request to the App Store.
    let deadline: Duration
    let timer: any Clock<Duration>
    let storeAnswered: @Sendable () async -> Void

    /// The purchases that can be restored.
    struct Offer: Sendable {
        var products: [RestorableProduct] = []
        /// The purchases of each product, oldest first.
        var purchases: [ProductID: [Entitlement]] = [:]
        /// The transactions that StoreKit has, by identifier.
        var transactions: [TransactionID: StoreKit.Transaction] = [:]
        /// The undelivered purchases, which a restore delivers as new purchases with credits.
        var unfinished: Set<TransactionID> = []
        var unreachable: Set<RestoreSource> = []
    }

    /// Synchronizes the account's purchases with the App Store, asks a person to choose, and delivers the chosen products.
    func run(_ choose: @MainActor @Sendable ([RestorableProduct]) async -> Set<ProductID>) async -> RestoreOutcome {
        let before = await snapshot()
        var unreachable: Set<RestoreSource> = []
        switch await firstOutcome(within: deadline, on: timer, { await Self.synchronize() }) {
        case .answered: await storeAnswered()
        case .canceled: return .canceled
        case .failed(let failure) where failure.kind != .network: return .failed(failure)
        // Continue without the App Store, because the server's purchases can still be restored.
        case .failed, nil: unreachable.insert(.store)
        }
        var offer = await offer(unreachable: unreachable)
        if offer.products.isEmpty, offer.unreachable.isSuperset(of: sources) { return .failed(PurchaseFailure(.network)) }
        let chosen = offer.products.isEmpty ? [] : await choose(offer.products)
        offer.unfinished = await finishRestoredTransactions()
        let difference = await restore(chosen, of: offer, before: before)
        guard !offer.products.isEmpty || !difference.lost.isEmpty || !difference.balances.isEmpty else {
            return .nothingToRestore(unreachable: offer.unreachable)
        }
        return .completed(difference)
    }

    private enum Answer: Sendable {
        case answered
        case canceled
        case failed(PurchaseFailure)
    }

    private static func synchronize() async -> Answer {
        do {
            try await AppStore.sync()
            return .answered
        } catch {
            return PurchaseFailure(error).map { .failed($0) } ?? .canceled
        }
    }

    /// Reads the purchases of the store's account and of the server's customer.
    ///
    /// - Parameter unreachable: The sources that could not be reached before.
    func offer(unreachable: Set<RestoreSource>) async -> Offer {
        var offer = Offer(unreachable: unreachable)
        let (stored, transactions) = await reader.readAll()
        offer.transactions = transactions
        let served = await reader.readServer().purchases
        if served == nil { offer.unreachable.insert(.server) }
        await ledger.synchronize()
        let contents = await vault.contents
        // The account of the App Store proves the purchases in its history, so the server may move these purchases to the app's customer.
        let movable = sources.contains(.server) ? stored : []
        for entitlement in book.restorable(in: contents, at: clock.now, movable: movable) {
            offer.purchases[entitlement.productID, default: []].append(entitlement)
        }
        let now = clock.now
        let latest = offer.purchases.values.compactMap(\.last).sorted {
            ($0.purchaseDate, $0.transactionID) < ($1.purchaseDate, $1.transactionID)
        }
        for latest in latest {
            let product = latest.productID
            let purchases = offer.purchases[product] ?? []
            let originals = Set(purchases.map(\.originalTransactionID))
            var sources: Set<RestoreSource> = []
            if !stored.isDisjoint(with: originals) { sources.insert(.store) }
            if let served, !served.isDisjoint(with: originals) { sources.insert(.server) }
            let access = latest.access(at: now, nonRenewingDuration: book.durations[product])
            offer.products.append(
                RestorableProduct(
                    productID: product, purchaseDate: latest.purchaseDate.date, until: access.until?.date,
                    isDelivered: purchases.allSatisfy { contents.delivered.contains($0.transactionID) }, sources: sources,
                    isOfOtherCustomer: purchases.contains { !contents.belongs($0.transactionID, to: book.customer) }))
        }
        return offer
    }

    /// Finishes the transactions that remain from a restore of StoreKit 1, after a person has chosen the products to restore, and returns
    /// the other unfinished transactions.
    ///
    /// The chosen products are delivered from the original transactions.
    private func finishRestoredTransactions() async -> Set<TransactionID> {
        var unfinished: Set<TransactionID> = []
        for await result in StoreKit.Transaction.unfinished {
            let transaction = result.unsafePayloadValue
            if await restored.contains(transaction) {
                await transaction.finish()
            } else {
                unfinished.insert(transaction.transactionID)
            }
        }
        return unfinished
    }

    func restore(_ chosen: Set<ProductID>, of offer: Offer, before: Snapshot) async -> RestoreDifference {
        var difference = await restore(chosen, of: offer.products, before: before) { await deliver($0, of: offer) }
        difference.unreachable = offer.unreachable
        return difference
    }

    /// Delivers the chosen products, different products concurrently, and returns the changes.
    func restore(
        _ chosen: Set<ProductID>, of offered: [RestorableProduct], before: Snapshot,
        deliver: @escaping @Sendable (ProductID) async -> [FulfillmentResult]
    ) async -> RestoreDifference {
        var difference = RestoreDifference()
        await withTaskGroup(of: (ProductID, [FulfillmentResult]).self) { group in
            for product in offered where chosen.contains(product.productID) {
                group.addTask { (product.productID, await deliver(product.productID)) }
            }
            for await (product, results) in group {
                for case .delivered(_, _, let previous?) in results { difference.previousOwners[product] = previous }
                if !results.allSatisfy({ if case .delivered = $0 { true } else { false } }) {
                    difference.undelivered.append(product)
                } else if before.delivered.contains(product) {
                    difference.kept.append(product)
                } else {
                    difference.gained.append(product)
                }
            }
        }
        let order = offered.map(\.productID)
        let positions = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
        func sort(_ products: inout [ProductID]) {
            products.sort { (positions[$0] ?? 0) < (positions[$1] ?? 0) }
        }
        sort(&difference.gained)
        sort(&difference.kept)
        sort(&difference.undelivered)
        difference.declined = order.filter { !chosen.contains($0) }
        let after = await snapshot()
        difference.lost = before.active.subtracting(after.active).sorted()
        for currency in Set(before.balances.keys).union(after.balances.keys) {
            let change = (after.balances[currency] ?? 0).subtractingReportingOverflow(before.balances[currency] ?? 0)
            if !change.overflow, change.partialValue != 0 { difference.balances[currency] = change.partialValue }
        }
        return difference
    }

    private func deliver(_ product: ProductID, of offer: Offer) async -> [FulfillmentResult] {
        let contents = await vault.contents
        var results: [FulfillmentResult] = []
        for purchase in offer.purchases[product] ?? [] {
            guard let signed = contents.signedTransaction(purchase.transactionID) else { continue }
            let transaction = offer.transactions[purchase.transactionID]
            let isRestored = !offer.unfinished.contains(purchase.transactionID)
            results.append(
                await engine.fulfill(
                    IncomingTransaction(signed: signed, isRestored: isRestored) { await transaction?.finish() }))
        }
        return results
    }

    /// The customer's purchases and balances at one moment.
    struct Snapshot: Sendable {
        /// The products whose purchases are all delivered on this device.
        var delivered: Set<ProductID> = []
        /// The products that the customer may use.
        var active: Set<ProductID> = []
        var balances: [CurrencyID: Int64] = [:]
    }

    func snapshot() async -> Snapshot {
        let contents = await vault.contents
        let purchases = book.restorable(in: contents, at: clock.now)
        return Snapshot(
            delivered: Set(purchases.map(\.productID)).subtracting(
                purchases.filter { !contents.delivered.contains($0.transactionID) }.map(\.productID)),
            active: Set(purchases.map(\.productID)), balances: contents.balances.mapValues(\.amount))
    }
}
