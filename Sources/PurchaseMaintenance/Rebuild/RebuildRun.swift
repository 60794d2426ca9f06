import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof
import PurchaseServer
import PurchaseStorage

/// Recomputes the records of an app from its signed originals and recorded decisions, page by page.
///
/// The run reads each purchase and each ledger in one transaction. A repair repeats the reads in one serializable transaction with the
/// writes, so a server can serve requests during a rebuild. The memory use does not grow with the database, because the run holds one page
/// of rows.
struct RebuildRun: Sendable {
    /// The number of rows after which the progress is stored.
    private static let pageSize = 64
    /// The maximum number of attempts to compare a purchase that changes during the comparison.
    private static let attempts = 10

    let app: BundleID
    let storage: any SQLPurchaseStorage
    let verifier: OriginalVerifier
    let recorder: PurchaseRecorder
    let clock: any WallClock
    /// Whether the run repairs differences.
    let isWriting: Bool
    /// A closure that receives the progress and each difference.
    let report: @Sendable (RebuildEvent) -> Void

    private var mode: String { isWriting ? "write" : "verify" }

    /// Compares all records, from the beginning or from the stored progress of an interrupted run.
    func run(restarting: Bool) async throws -> RebuildReport {
        let (text, totals) = try await storage.readTables(app) { [mode] records in
            (restarting ? nil : try records.rebuildProgress(mode), try records.rebuildRows())
        }
        // Ignore stored progress in the format of another version.
        let stored = text.flatMap { try? WireJSON.decode(RebuildProgress.self, from: Data($0.utf8)) }
        var progress = stored ?? RebuildProgress(report: RebuildReport(app: app, startedAt: clock.now))
        if let stored { report(.continued(stored.report)) }
        let scratches = try (0..<max(1, ProcessInfo.processInfo.activeProcessorCount)).map { _ in try RebuildScratch() }
        let total = totals.values.reduce(0, +)
        while true {
            let isEnd = try await comparePage(&progress, scratches)
            let pass = progress.pass
            let isLast = isEnd && !progress.beginNextPass()
            try await store(isLast ? nil : progress)
            // Report a total of at least the completed number, because rows may have been added after the run began.
            let completed = progress.report.compared.values.reduce(0, +)
            report(.progress(completed: completed, total: isLast ? completed : max(total, completed), pass: pass))
            if isLast { return progress.report }
        }
    }

    private func store(_ progress: RebuildProgress?) async throws {
        let text = try progress.map { String(decoding: try WireJSON.encode($0), as: UTF8.self) }
        try await storage.writeTables(app) { [mode] in try $0.setRebuildProgress(text, mode) }
    }

    /// Compares the next page of the pass; returns whether the pass is complete.
    private func comparePage(_ progress: inout RebuildProgress, _ scratches: [RebuildScratch]) async throws -> Bool {
        let (position, limit) = (progress.position, Self.pageSize)
        switch progress.pass {
        case .notifications:
            let page = try await storage.readTables(app) { try $0.storedNotifications(after: position.first ?? "", limit: limit) }
            let rebuild = NotificationRebuild(app: app, verifier: verifier, recorder: recorder, storage: storage)
            for stored in page {
                add(try await rebuild.compare(stored, isWriting: isWriting), to: &progress)
                progress.position = [stored.uuid]
            }
            return page.count < limit
        case .purchases:
            let page = try await storage.readTables(app) { try $0.purchaseIDs(after: position.first ?? "", limit: limit) }
            try await comparePurchases(page, &progress, scratches)
            return page.count < limit
        case .customerPurchases:
            let rebuild = CustomerPurchaseRebuild(app: app)
            let (page, found) = try await storage.readTables(app) { records in
                let page = try records.customerPurchases(after: position, limit: limit)
                return (page, try page.map { try rebuild.compare($0, in: records, isWriting: false) })
            }
            for (key, found) in zip(page, found) {
                // Skip the rows of a purchase with differences, which the pass over purchases has already compared.
                let isKnown = progress.explains(key.purchase, isWriting: isWriting)
                var findings = isKnown ? RebuildFindings(app: app, isWriting: isWriting) : found
                if isWriting, !findings.differences.isEmpty {
                    findings = try await storage.writeTables(app) { try rebuild.compare(key, in: $0, isWriting: true) }
                }
                add(findings, to: &progress)
                progress.position = [key.customer.rawValue, key.product.rawValue, key.purchase.rawValue]
            }
            return page.count < limit
        case .ledgers:
            let page = try await storage.readTables(app) { records in
                try records.ledgers(after: position.first ?? "", position.last ?? "", limit: limit)
            }
            for ledger in page {
                add(try await compare(ledger, progress.decisions), to: &progress)
                progress.position = [ledger.customer.rawValue, ledger.currency.rawValue]
            }
            return page.count < limit
        }
    }

    private func add(
        _ findings: RebuildFindings, _ decisions: RecomputedDecisions = RecomputedDecisions(), to progress: inout RebuildProgress
    ) {
        progress.add(findings, decisions)
        for difference in findings.differences { report(.difference(difference)) }
    }

    private func compare(_ ledger: LedgerKey, _ decisions: RecomputedDecisions) async throws -> RebuildFindings {
        let findings = try await storage.readTables(app) { [app] in
            try LedgerRebuild(app: app, ledger: ledger, decisions: decisions).compare(in: $0, isWriting: false)
        }
        guard isWriting, !findings.differences.isEmpty else { return findings }
        return try await storage.writeTables(app) { [app] in
            try LedgerRebuild(app: app, ledger: ledger).compare(in: $0, isWriting: true)
        }
    }

    // MARK: Purchases

    /// Compares a page of purchases, several at the same time, and reports their differences in the order of the purchases.
    private func comparePurchases(_ page: [TransactionID], _ progress: inout RebuildProgress, _ scratches: [RebuildScratch]) async throws {
        typealias Compared = (findings: RebuildFindings, decisions: RecomputedDecisions)
        let incomplete = progress.incomplete
        let results = try await withThrowingTaskGroup(of: [(Int, Compared)].self) { group in
            for (lane, scratch) in scratches.enumerated() {
                group.addTask {
                    var results: [(Int, Compared)] = []
                    for index in stride(from: lane, to: page.count, by: scratches.count) {
                        // Skip a purchase without all of its events, because the result would be wrong.
                        let isComplete = !incomplete.contains(page[index])
                        let none = (RebuildFindings(app: app, isWriting: isWriting), RecomputedDecisions())
                        results.append((index, isComplete ? try await compare(page[index], scratch) : none))
                    }
                    return results
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        for (index, compared) in results.sorted(by: { $0.0 < $1.0 }) {
            add(compared.findings, compared.decisions, to: &progress)
            progress.position = [page[index].rawValue]
        }
    }

    private func compare(
        _ purchase: TransactionID, _ scratch: RebuildScratch
    ) async throws -> (findings: RebuildFindings, decisions: RecomputedDecisions) {
        for _ in 0..<Self.attempts {
            let originals = try await storage.readTables(app) { try $0.originals(of: purchase) }
            let (events, defects) = try await verify(originals, of: purchase)
            guard defects.differences.isEmpty else { return (defects, RecomputedDecisions()) }
            let rebuild = PurchaseRebuild(app: app, purchase: purchase, events: events, recorder: recorder, scratch: scratch)
            // Compare unchanged originals only, because an event that arrived in the meantime is unverified.
            let compared = try await storage.readTables(app) { records in
                try records.originals(of: purchase) == originals ? try rebuild.compare(in: records, isWriting: false) : nil
            }
            guard let compared else { continue }
            guard isWriting, !compared.findings.differences.isEmpty else { return compared }
            let repaired = try await storage.writeTables(app) { records in
                try records.originals(of: purchase) == originals ? try rebuild.compare(in: records, isWriting: true) : nil
            }
            if let repaired { return repaired }
        }
        throw RebuildError.busy(purchase)
    }

    private func verify(
        _ originals: [StoredOriginal], of purchase: TransactionID
    ) async throws -> (events: [(event: VerifiedEvent, receivedAt: Timestamp)], defects: RebuildFindings) {
        var events: [(event: VerifiedEvent, receivedAt: Timestamp)] = []
        var defects = RebuildFindings(app: app, isWriting: isWriting)
        for original in originals {
            do throws(OriginalDefect) {
                events.append((try await verifier.verify(original, of: purchase), original.receivedAt))
            } catch {
                let problem = error.isUntrusted ? "can't be verified" : "is damaged"
                defects.addDamage(
                    .original, purchase: purchase, "The \(original.name) \(problem): \(error.message)", isUntrusted: error.isUntrusted)
            }
        }
        return (events, defects)
    }
}

extension SQLTransaction {
    /// Returns the approximate number of rows that the passes of a rebuild compare.
    func rebuildRows() throws -> [RebuildPass: Int64] {
        func count(_ table: String) throws -> Int64 {
            try first("SELECT count(*) AS number FROM \(table) WHERE app = ?1") { try $0["number"] } ?? 0
        }
        return [
            .notifications: try count("notification"), .purchases: try count("purchase"),
            .customerPurchases: try count("customer_purchase"), .ledgers: try count("ledger_balance"),
        ]
    }
}
