public import PurchaseModel
public import PurchaseServer
import PurchaseStorage

/// Compares the entitlements and balances of customers under the current and another configuration, without writing to the database.
///
/// The replay applies the transfer rules to each recorded claim of the whole history, the catalog to each charge, and the refund policy to
/// each refund.
public struct PolicyReplay: Sendable {
    private static let pageSize = 64

    let app: BundleID
    let storage: any SQLPurchaseStorage
    let present: AppRules
    let other: AppRules
    let now: Timestamp
    let scratch: ReplayScratch

    /// Compares all purchases and balances, and returns the totals.
    ///
    /// - Parameter progress: Receives the number of compared purchases and the number of all purchases.
    /// - Throws: ``RebuildError``, or `StorageError`.
    public func run(progress: @Sendable (_ completed: Int64, _ total: Int64) -> Void) async throws -> PolicyReplayReport {
        var report = PolicyReplayReport(app: app, date: now)
        let total = try await storage.readTables(app) { try $0.rebuildRows()[.purchases] ?? 0 }
        let replay = PurchaseReplay(present: present, other: other, now: now)
        var last = ""
        while true {
            let page = try await storage.readTables(app) { [last] records in
                try records.purchaseIDs(after: last, limit: Self.pageSize).map { purchase in
                    guard let changes = try readable({ try replay.changes(of: purchase, in: records) }) else {
                        throw RebuildError.unreadable(purchase)
                    }
                    return (purchase, changes)
                }
            }
            try scratch.add(page.flatMap { $0.1.entitlements }, page.flatMap { $0.1.charges })
            report.purchases += Int64(page.count)
            progress(report.purchases, max(total, report.purchases))
            guard page.count == Self.pageSize, let next = page.last?.0.rawValue else { break }
            last = next
        }
        if present.recorder.refundPolicy != other.recorder.refundPolicy { try await addLedgersWithRefunds() }
        try await replayLedgers()
        try await forEachChange { report.add($0) }
        return report
    }

    /// Calls `body` with the change of each customer, in the order of the customers' identifiers.
    public func forEachChange(_ body: (PolicyReplayChange) throws -> Void) async throws {
        var last = ""
        while true {
            let page = try scratch.changes(after: last, limit: Self.pageSize)
            // Exclude granted entitlements, which do not depend on the configuration.
            let granted = try await storage.read(app) { [now] records in
                try page.map { change in Set(try records.grants(of: change.customer).filter { $0.isActive(at: now) }.map(\.entitlement)) }
            }
            for (var change, granted) in zip(page, granted) {
                change.gained.removeAll(where: granted.contains)
                change.lost.removeAll(where: granted.contains)
                if !change.isEmpty { try body(change) }
            }
            guard page.count == Self.pageSize, let next = page.last?.customer.rawValue else { return }
            last = next
        }
    }

    private func addLedgersWithRefunds() async throws {
        var last = ("", "")
        while true {
            let (page, refunded) = try await storage.readTables(app) { [last] records in
                let page = try records.ledgers(after: last.0, last.1, limit: Self.pageSize)
                return (page, try page.filter { try records.hasRefund($0) })
            }
            // Replay the ledger of a merge's target, because the merge moved the balance to the target.
            let current = try await storage.read(app) { records in
                try refunded.map { LedgerKey(customer: try records.current($0.customer), currency: $0.currency) }
            }
            try scratch.add(current)
            guard page.count == Self.pageSize, let next = page.last else { return }
            last = (next.customer.rawValue, next.currency.rawValue)
        }
    }

    private func replayLedgers() async throws {
        var last: LedgerKey?
        while true {
            let page = try scratch.ledgers(after: last, limit: Self.pageSize)
            for ledger in page {
                let (present, balance) = try await storage.readTables(app) { [scratch, other] records in
                    let replay = PolicyLedgerReplay(
                        records: records, refundPolicy: other.recorder.refundPolicy, change: scratch.change, additions: scratch.changes)
                    return (try records.balance(of: ledger.customer, in: ledger.currency), try replay.balance(of: ledger))
                }
                guard present != balance else { continue }
                try scratch.add(
                    PolicyReplayChange.Balance(
                        currency: ledger.currency, present: present.amount, other: balance.amount, isFrozen: balance.isFrozen),
                    of: ledger.customer)
            }
            guard page.count == Self.pageSize else { return }
            last = page.last
        }
    }
}

extension PolicyReplay {
    /// Creates a replay of a change of an app's products.
    private init(_ change: CatalogChange) async throws {
        let storage = try change.storage.tables
        let app = change.app
        let added = try await storage.read(app.bundleID) { try $0.products() }
        func rules(_ products: [ServerProduct]) -> AppRules {
            var app = app
            app.products = products
            return AppRules(app, of: change.server, added, storage: storage, clock: change.clock)
        }
        self.init(
            app: app.bundleID, storage: storage, present: rules(change.present), other: rules(change.other), now: change.clock.now,
            scratch: try ReplayScratch())
    }

    /// The comparison with which a server reports the entitlements that customers lose if the products change.
    package static let catalogComparison: CatalogComparison = { change in
        let report = try await PolicyReplay(change).run { _, _ in }
        return CatalogLosses(customers: report.customers, lost: report.entitlements.mapValues(\.lost))
    }
}

extension PurchaseServer {
    /// Returns the replay of an app under another configuration; nil if one of the configurations does not contain the app.
    public func policyReplay(of app: BundleID, under other: PurchaseServerConfiguration) async throws -> PolicyReplay? {
        guard var present = configuration.apps.first(where: { $0.bundleID == app }),
            let replaced = other.apps.first(where: { $0.bundleID == app })
        else { return nil }
        // Use the current catalog, which retains products that the files no longer list.
        if let services = apps[app] { present.products = services.catalog.fileProducts }
        let storage = try storage.tables
        let added = try await storage.read(app) { try $0.products() }
        return PolicyReplay(
            app: app, storage: storage, present: AppRules(present, of: configuration, added, storage: storage, clock: clock),
            other: AppRules(replaced, of: other, added, storage: storage, clock: clock), now: clock.now, scratch: try ReplayScratch())
    }
}

extension SQLTransaction {
    /// Returns whether a ledger has a posting of a refund.
    fileprivate func hasRefund(_ ledger: LedgerKey) throws -> Bool {
        try first(
            "SELECT 1 AS found FROM ledger_posting WHERE app = ?1 AND customer = ? AND currency = ? AND kind = 'refund' LIMIT 1",
            ledger.customer.rawValue, ledger.currency.rawValue
        ) { _ in true } ?? false
    }
}
