import FoundationExtras
import PurchaseModel
import PurchaseProof
import PurchaseServer
import PurchaseStorage

/// Compares the stored rows of one purchase with the rows computed from its signed events and recorded decisions.
struct PurchaseRebuild: Sendable {
    let app: BundleID
    let purchase: TransactionID
    /// The verified events, in the order of their arrival.
    let events: [(event: VerifiedEvent, receivedAt: Timestamp)]
    let recorder: PurchaseRecorder
    let scratch: RebuildScratch

    /// Compares the stored rows with the recomputed rows, and repairs the differences if `isWriting` is true.
    ///
    /// - Returns: The differences, and the recomputed decisions about credits.
    func compare(in records: SQLTransaction, isWriting: Bool) throws -> (findings: RebuildFindings, decisions: RecomputedDecisions) {
        var findings = RebuildFindings(app: app, isWriting: isWriting)
        var decisions = RecomputedDecisions()
        try scratch.recording(events, of: app) { recomputed in
            guard try !isOriginalMissing(recomputed, records, &findings) else { return }
            try compareEvents(recomputed, records, &findings)
            for table in RebuildTable.versions { try compare(table, recomputed, records, &findings) }
            try comparePurchase(recomputed, records, &findings)
            var credits = CreditRebuild(purchase: purchase, recorder: recorder)
            try credits.compare(recomputed, records, &findings)
            decisions = credits.decisions
        }
        return (findings, decisions)
    }

    /// Returns whether a row refers to a missing signed event, or the purchase has no signed event.
    ///
    /// After a missing event, the rebuild does not compare the purchase further, because the remaining events could result in a smaller
    /// entitlement.
    private func isOriginalMissing(
        _ recomputed: SQLTransaction, _ records: SQLTransaction, _ findings: inout RebuildFindings
    ) throws -> Bool {
        let known = try recomputed.rows(of: .events, purchase)
        var missing: [SQLValue] = []
        for table in RebuildTable.versions {
            guard let index = table.columns.firstIndex(where: { $0.name == "digest" }) else { continue }
            missing += try records.rows(of: table, purchase).values.map { $0[index] }.filter { known[[$0]] == nil }
        }
        for digest in Set(missing) {
            guard case .bytes(let digest) = digest else { continue }
            findings.addDamage(
                .original, purchase: purchase,
                "Other rows refer to the signed event \(Hexadecimal.encode(digest.prefix(6))), which is missing.")
        }
        guard missing.isEmpty, known.isEmpty else { return !missing.isEmpty }
        findings.addDamage(.original, purchase: purchase, "The purchase has no signed event.")
        return true
    }

    private func compareEvents(_ recomputed: SQLTransaction, _ records: SQLTransaction, _ findings: inout RebuildFindings) throws {
        let (stored, new) = (try records.rows(of: .events, purchase), try recomputed.rows(of: .events, purchase))
        for (digest, values) in new {
            let changes = RebuildTable.events.changes(stored: stored[digest], recomputed: values)
            guard !changes.isEmpty else { continue }
            try findings.add(.event, purchase: purchase, "The decoded copy of a signed event differs from its signed data.", changes) {
                try records.updateEvent(digest, values, of: purchase)
            }
        }
    }

    private func compare(
        _ table: RebuildTable, _ recomputed: SQLTransaction, _ records: SQLTransaction, _ findings: inout RebuildFindings
    ) throws {
        let (stored, new) = (try records.rows(of: table, purchase), try recomputed.rows(of: table, purchase))
        for key in Set(stored.keys).union(new.keys) {
            let changes = table.changes(stored: stored[key], recomputed: new[key])
            guard !changes.isEmpty else { continue }
            let name = key.compactMap { if case .text(let text) = $0 { " \(text)" } else { nil } }.joined()
            try findings.add(.version, purchase: purchase, "The row of \(table.name)\(name) differs.", changes) {
                if let values = new[key] {
                    try records.put(key, values, in: table, purchase)
                } else {
                    try records.delete(key, from: table, purchase)
                }
            }
        }
    }

    // MARK: The purchase and its customers

    private func comparePurchase(_ recomputed: SQLTransaction, _ records: SQLTransaction, _ findings: inout RebuildFindings) throws {
        guard let projection = try PurchaseProjection(of: purchase, in: recomputed) else { return }
        let expected = try PurchaseRecord(projection, claims: records.claims(of: purchase), current: records.current)
        let stored = try readable { try records.purchase(purchase) } ?? nil
        let changes = try self.changes(from: stored, to: expected, records)
        if !changes.isEmpty {
            try findings.add(.purchase, purchase: purchase, customer: expected.customer, "The purchase differs.", changes) {
                // Replace only the row, because the customers of an unreadable row are unknown; the next pass removes stale rows from
                // customers' purchase lists.
                if stored == nil { try records.deletePurchase(purchase) }
                try records.put(expected)
                if expected.entitlement.facts != stored?.entitlement.facts { try records.scheduleLookup(of: expected.entitlement) }
            }
        }
        let (holders, products) = (expected.holders, expected.timeline.products.sorted())
        for other in (stored?.holders ?? []).subtracting(holders) where !findings.isWriting {
            for product in products {
                let key = CustomerPurchaseRebuild.Key(customer: other, product: product, purchase: purchase)
                guard try records.contains(key) else { continue }
                findings.addStray(key) {}
            }
        }
        for (holder, product) in holders.flatMap({ holder in products.map { (holder, $0) } }) {
            let row = try readable { try records.purchases(of: holder, product: product).first { $0.originalTransactionID == purchase } }
            let isOwner = holder == expected.customer
            let wanted = PurchaseRecord(
                timeline: expected.timeline, customer: expected.customer ?? holder,
                attribution: isOwner ? expected.attribution : .shared, sharedWith: isOwner || expected.customer == nil ? [] : [holder])
            guard row ?? nil != wanted, changes.isEmpty || !findings.isWriting else { continue }
            try findings.add(
                .customerPurchase, purchase: purchase, customer: holder,
                row ?? nil == nil ? "The purchase is missing in the customer's list." : "The purchase in the customer's list differs.",
                try self.changes(from: row ?? nil, to: wanted, records)
            ) { try records.put(expected) }
        }
    }

    private func changes(
        from stored: PurchaseRecord?, to expected: PurchaseRecord, _ records: SQLTransaction
    ) throws -> [RebuildDifference.Change] {
        func list(_ customers: [CustomerID]?) -> String? { customers.map { $0.map(\.rawValue).joined(separator: ", ") } }
        var changes: [RebuildDifference.Change] = []
        let values = [
            ("customer", stored?.customer?.rawValue, expected.customer?.rawValue),
            ("attribution", stored?.attribution?.rawValue, expected.attribution?.rawValue),
            ("sharedWith", list(stored?.sharedWith), list(expected.sharedWith)),
        ]
        changes += values.compactMap { name, old, new in
            old == new || (old ?? "").isEmpty && (new ?? "").isEmpty ? nil : RebuildDifference.Change(name, stored: old, recomputed: new)
        }
        let old = try stored.map { try records.json($0.timeline) } ?? "{}"
        changes += RecordChanges.between(stored: old, recomputed: try records.json(expected.timeline), as: EntitlementTimeline.self)
        return changes
    }
}

/// Returns the result of a read; nil if a row contains a value that can't be decoded.
///
/// - Throws: An error of the database.
func readable<Value>(_ read: () throws -> Value) throws -> Value? {
    do { return try read() } catch {
        // Report a value that can't be decoded as damage, and throw an error of the database.
        guard let failure = StorageError(error) else { return nil }
        throw failure
    }
}
