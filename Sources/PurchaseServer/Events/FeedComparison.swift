import Crypto
import Foundation
import FoundationExtras
import Logging
import PurchaseModel
import PurchaseStorage
package import ServerProtocol
import Synchronization

/// Compares customers with their events, and inserts the events of the differences.
///
/// A change of the catalog or the configuration changes answers without a write about the customers. The comparison of all customers finds
/// these changes.
package struct FeedComparison: Sendable {
    /// The maximum number of customers of one transaction.
    private static let batchSize = 8
    /// The maximum number of customers between two writes of the progress.
    private static let pageSize = 100

    let app: BundleID
    let storage: any PurchaseStorage
    let emitter: FeedEmitter
    let signal: FeedSignal
    let clock: any WallClock
    let logger: Logger
    private let begun = Begun()

    /// The digest of the rules of this server with which a server has begun a comparison; nil for none.
    private final class Begun: Sendable {
        let rules = Mutex<String?>(nil)
    }

    init(
        app: BundleID, storage: any PurchaseStorage, emitter: FeedEmitter, signal: FeedSignal, clock: any WallClock, logger: Logger
    ) {
        self.app = app
        self.storage = storage
        self.emitter = emitter
        self.signal = signal
        self.clock = clock
        self.logger = logger
    }

    // MARK: All customers

    /// Compares all customers with their events after an upgrade or a change of the catalog or the configuration.
    ///
    /// The progress is stored, so that another server, or the next start, continues a stopped comparison. ``FeedSweep`` decides which server
    /// compares.
    func compareAfterChange() async throws {
        while !Task.isCancelled, var sweep = try await claim() {
            while sweep.completedAt == nil, !Task.isCancelled {
                let last = sweep.last
                let customers = try await storage.read(app) { try $0.feedCustomers(after: last, limit: Self.pageSize) }
                try await compare(customers, .configuration)
                guard !Task.isCancelled else { return }
                sweep.last = customers.last ?? sweep.last
                if customers.count < Self.pageSize { sweep.completedAt = clock.now }
                sweep.leasedUntil = clock.now.adding(seconds: FeedSweep.leaseSeconds)
                // Another server may have begun a comparison with newer rules, or the rules of this server may have changed.
                guard try rules().digest == sweep.rules, try await advance(to: sweep) else { break }
            }
        }
    }

    private func claim() async throws -> FeedSweep? {
        let rules = try rules()
        let stored = try await storage.read(app) { try $0.feedSweep() }
        // With a change of the server's rules, the server may begin again.
        let hasBegun = begun.rules.withLock { begun in
            if begun != rules.digest { begun = stored?.rules == rules.digest ? rules.digest : nil }
            return begun == rules.digest
        }
        guard FeedSweep.claimed(stored, by: rules, hasBegun: hasBegun, at: clock.now) != nil else { return nil }
        let sweep = try await storage.write(app) { [clock] records in
            let sweep = FeedSweep.claimed(try records.feedSweep(), by: rules, hasBegun: hasBegun, at: clock.now)
            if let sweep { try records.put(sweep) }
            return sweep
        }
        if sweep != nil { begun.rules.withLock { $0 = rules.digest } }
        return sweep
    }

    /// Stores the progress, unless another server has begun another comparison.
    private func advance(to sweep: FeedSweep) async throws -> Bool {
        try await storage.write(app) { records in
            guard let stored = try records.feedSweep(), stored.rules == sweep.rules, stored.pass == sweep.pass, stored.completedAt == nil
            else { return false }
            try records.put(sweep)
            return true
        }
    }

    /// Compares all customers with their events, and inserts the events of the differences.
    package func compareAll(_ cause: FeedEventCause) async throws {
        var last: CustomerID?
        var isComplete = false
        while !isComplete, !Task.isCancelled {
            let page = try await storage.read(app) { [last] in try $0.feedCustomers(after: last, limit: Self.pageSize) }
            try await compare(page, cause)
            last = page.last ?? last
            isComplete = page.count < Self.pageSize
        }
    }

    /// Returns the rules that determine entitlements.
    private func rules() throws -> FeedSweep.Rules {
        let entitlements = emitter.entitlements
        let (catalog, revision) = entitlements.catalog.versioned
        let digested = DigestedRules(
            products: catalog.products.map {
                DigestedRules.Product(id: $0.id, type: $0.type, names: $0.entitlements, duration: $0.duration)
            },
            leewaySeconds: entitlements.leeway.seconds, leewayEnvironment: "\(entitlements.leeway.environment)",
            acceptsSandboxPurchases: entitlements.acceptsSandboxPurchases)
        return FeedSweep.Rules(
            digest: Hexadecimal.encode(SHA256.hash(data: try WireJSON.encode(digested))), revision: revision)
    }

    /// The values that change answers; prices and names, for example, change none.
    private struct DigestedRules: Encodable {
        struct Product: Encodable {
            let id: ProductID
            let type: ProductType?
            let names: [EntitlementName]?
            let duration: BillingPeriod?
        }

        /// The version of the code that computes answers.
        let version = EntitlementCandidate.version
        let products: [Product]
        let leewaySeconds: Int64
        let leewayEnvironment: String
        let acceptsSandboxPurchases: Bool
    }

    // MARK: Large teams

    /// Compares the members of the large teams that have changed.
    func compareTeams() async throws {
        while !Task.isCancelled {
            let found = try await storage.read(app) { records -> (FeedTeam, members: [CustomerID])? in
                guard let team = try records.nextFeedTeam() else { return nil }
                return (team, try records.seatHolders(of: team.team, after: team.last, limit: Self.pageSize))
            }
            guard let (team, members) = found else { return }
            try await compare(members, FeedEventCause(rawValue: team.cause) ?? .request)
            try await storage.write(app) { records in
                // A change of the team in between begins the comparison again, and another server may have compared these members.
                guard try records.feedTeam(team.team) == team else { return }
                guard members.count == Self.pageSize else { return try records.remove(team) }
                var next = team
                next.last = members.last
                try records.put(next)
            }
        }
    }

    // MARK: Customers

    /// Compares customers, batch by batch; skips and reports a customer whose records can't be read.
    private func compare(_ customers: [CustomerID], _ cause: FeedEventCause) async throws {
        var rest = customers[...]
        while !rest.isEmpty, !Task.isCancelled {
            let batch = Array(rest.prefix(Self.batchSize))
            rest = rest.dropFirst(batch.count)
            // Most customers have no difference, and writes would delay those of requests.
            let changed = try await storage.read(app) { [emitter] records in
                try batch.filter { customer in
                    do {
                        return try !emitter.isCurrent(customer, in: records)
                    } catch  where !(error is StorageError) {
                        return true
                    }
                }
            }
            if changed.isEmpty { continue }
            do {
                try await write(changed, cause)
            } catch  where !(error is StorageError) && !(error is CancellationError) {
                for customer in changed { try await writeReadable(customer, cause) }
            }
        }
    }

    private func writeReadable(_ customer: CustomerID, _ cause: FeedEventCause) async throws {
        do {
            try await write([customer], cause)
        } catch  where !(error is StorageError) && !(error is CancellationError) {
            logger.error(
                "customer not compared with the events", metadata: ["app": "\(app)", "customer": "\(customer)", "error": "\(error)"])
        }
    }

    private func write(_ customers: [CustomerID], _ cause: FeedEventCause) async throws {
        let hasEvents = try await storage.write(app) { [emitter] records in
            try customers.map { try emitter.compare($0, cause, in: records) }.contains(true)
        }
        if hasEvents { signal.notify() }
    }
}

extension FeedSweep {
    /// The time in seconds for which a server may compare before another server continues.
    static let leaseSeconds: Int64 = 60
    /// The time in seconds after which a comparison is repeated.
    static let repetitionSeconds: Int64 = 600

    /// The catalog and the configuration of a server.
    struct Rules: Hashable, Sendable {
        /// The digest of the values that change answers.
        let digest: String
        /// The revision of the catalog.
        let revision: Int64
    }

    /// Returns the comparison that a server continues or begins; nil if there is nothing to compare for the server.
    ///
    /// During an upgrade of several servers, servers with different rules run at the same time. A server begins the comparison with its
    /// rules at once, and then again only a while after the comparison with other rules, so that two servers do not keep undoing each other's
    /// comparisons; a server never begins with an older catalog. The comparison is repeated after some minutes, for the customers whom a
    /// server with the earlier rules has changed in between.
    ///
    /// - Parameters:
    ///   - stored: The stored comparison; nil before the first one.
    ///   - rules: The rules of the server.
    ///   - hasBegun: Whether a comparison with these rules has begun since the server has the rules.
    ///   - now: The current date.
    static func claimed(_ stored: FeedSweep?, by rules: Rules, hasBegun: Bool, at now: Timestamp) -> FeedSweep? {
        let leasedUntil = now.adding(seconds: leaseSeconds)
        let new = FeedSweep(rules: rules.digest, revision: rules.revision, leasedUntil: leasedUntil)
        guard var sweep = stored else { return new }
        guard sweep.rules == rules.digest else {
            guard rules.revision >= sweep.revision else { return nil }
            let isOver = (sweep.completedAt ?? sweep.leasedUntil).adding(seconds: 2 * repetitionSeconds) <= now
            return hasBegun && !isOver ? nil : new
        }
        if let completedAt = sweep.completedAt {
            guard sweep.pass == 1, completedAt.adding(seconds: repetitionSeconds) <= now else { return nil }
            return FeedSweep(rules: rules.digest, revision: sweep.revision, pass: 2, leasedUntil: leasedUntil)
        }
        guard sweep.leasedUntil <= now else { return nil }
        sweep.leasedUntil = leasedUntil
        return sweep
    }
}
