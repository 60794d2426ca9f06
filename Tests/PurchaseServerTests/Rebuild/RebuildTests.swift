import Foundation
import GRDB
import PostgresTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Damage to a row of the database.
struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The statements that damage the database; `?1` is the app.
    let statements: [String]
    /// The kinds of the differences that must be found, in any order.
    let kinds: Set<RebuildDifference.Kind>
    /// The purchase or the customer that a difference must name; nil for a notification.
    let place: String?
    /// Whether a rebuild writes exactly what was there before.
    var isRepaired = true

    init(
        _ description: String, _ statements: String..., finds kinds: Set<RebuildDifference.Kind>, at place: String?, isRepaired: Bool = true
    ) {
        testDescription = description
        self.statements = statements.map { $0.contains("?1") ? $0 : "\($0) \($0.contains("WHERE") ? "AND" : "WHERE") app = ?1" }
        (self.kinds, self.place, self.isRepaired) = (kinds, place, isRepaired)
    }

    private static let first = "original_transaction_id = '2000000000000001'"
    private static let refunded = "original_transaction_id = '300'"
    private static let subscription = "original_transaction_id = '400'"
    private static let owner = "customer = '\(RebuildScenario.owner)'"
    private static let added = "kind = 'purchase' AND key = '2000000000000001 transaction:2000000000000001'"
    private static let posting = "number = (SELECT number FROM ledger_posting WHERE app = ?1 AND \(owner) AND \(added))"

    static let all = [
        // Entitlements and customers
        Damage(
            "a changed entitlement",
            "UPDATE purchase SET entitlement = replace(entitlement, '\"active\"', '\"gracePeriod\"') WHERE \(subscription)",
            finds: [.purchase], at: "400"),
        Damage(
            "an unreadable entitlement", "UPDATE purchase SET entitlement = '{' WHERE \(first)", finds: [.purchase], at: "2000000000000001"),
        Damage("a lost purchase", "DELETE FROM purchase WHERE \(first)", finds: [.purchase], at: "2000000000000001"),
        Damage("a wrong owner", "UPDATE purchase SET customer = 'somebody' WHERE \(first)", finds: [.purchase], at: "2000000000000001"),
        Damage(
            "a wrong owner of a claimed purchase",
            "UPDATE purchase SET customer = '\(RebuildScenario.second)' WHERE original_transaction_id = '500'",
            "UPDATE customer_purchase SET customer = '\(RebuildScenario.second)' WHERE original_transaction_id = '500'",
            finds: [.purchase, .customerPurchase], at: "500"),
        Damage(
            "a wrong attribution", "UPDATE purchase SET attribution = 'backend' WHERE \(first)", finds: [.purchase], at: "2000000000000001"),
        Damage(
            "a customer who has a purchase too many", "UPDATE purchase SET shared_with = '[\"somebody\"]' WHERE \(first)",
            finds: [.purchase], at: "2000000000000001"),
        Damage(
            "a lost row of a customer's list", "DELETE FROM customer_purchase WHERE \(first)", finds: [.customerPurchase],
            at: "2000000000000001"),
        Damage(
            "a changed row of a customer's list", "UPDATE customer_purchase SET attribution = 'backend' WHERE \(first)",
            finds: [.customerPurchase], at: "2000000000000001"),
        Damage(
            "a row of a customer's list too many",
            """
            INSERT INTO customer_purchase (app, customer, product_id, original_transaction_id, attribution, owner, entitlement)
            SELECT app, 'somebody', product_id, original_transaction_id, attribution, owner, entitlement FROM customer_purchase WHERE \(first)
            """, finds: [.customerPurchase], at: "somebody"),
        // Rows that find versions
        Damage("a lost newest version", "DELETE FROM transaction_version WHERE transaction_id = '401'", finds: [.version], at: "400"),
        Damage(
            "a changed end of a period", "UPDATE transaction_version SET paid_until = paid_until + 1 WHERE transaction_id = '401'",
            finds: [.version], at: "400"),
        Damage(
            "a lost token", "UPDATE transaction_version SET app_account_token = NULL WHERE \(first)", finds: [.version],
            at: "2000000000000001"),
        Damage(
            "a forgotten refund", "UPDATE transaction_version SET was_revoked = NOT was_revoked WHERE \(refunded)", finds: [.version],
            at: "300"),
        Damage("lost renewal info", "DELETE FROM renewal_version WHERE \(subscription)", finds: [.version], at: "400"),
        Damage(
            "a changed start of a period", "UPDATE purchase_period SET start = start + 1 WHERE \(subscription)", finds: [.version],
            at: "400"),
        Damage(
            "a changed copy of a signed event",
            "UPDATE signed_event SET event = replace(event, '\"quantity\":2', '\"quantity\":9') WHERE \(refunded)",
            finds: [.event], at: "300"),
        Damage(
            "a changed date of a signed event", "UPDATE signed_event SET signed_date = 1 WHERE \(first)", finds: [.event],
            at: "2000000000000001"),
        // Credits and the ledger
        Damage(
            "a missing credit", "DELETE FROM purchase_credit WHERE \(first)", "DELETE FROM ledger_entry WHERE \(owner) AND \(posting)",
            "DELETE FROM ledger_posting WHERE \(owner) AND \(added)", "UPDATE ledger_balance SET amount = amount - 5 WHERE \(owner)",
            finds: [.credit, .posting, .balance], at: "2000000000000001"),
        Damage("a lost credit", "DELETE FROM purchase_credit WHERE \(first)", finds: [.credit], at: "2000000000000001"),
        Damage("a changed credit", "UPDATE purchase_credit SET credits = 500 WHERE \(first)", finds: [.credit], at: "2000000000000001"),
        Damage(
            "a forgotten refund of a credit", "UPDATE purchase_credit SET revoked = 0, written_off = 0 WHERE \(refunded)", finds: [.credit],
            at: "300"),
        Damage(
            "a credit that no signed transaction states",
            """
            INSERT INTO purchase_credit (app, original_transaction_id, charge, transaction_id, customer, currency, credits, revoked,
                written_off, changes) VALUES (?1, '2000000000000001', 'transaction:9', '9', 'somebody', 'credits', 5, 0, 0, 0)
            """, finds: [.credit], at: "2000000000000001"),
        Damage(
            "a lost posting", "DELETE FROM ledger_entry WHERE \(owner) AND \(posting)",
            "DELETE FROM ledger_posting WHERE \(owner) AND \(added)",
            finds: [.posting], at: "2000000000000001"),
        Damage(
            "a doubled posting",
            """
            INSERT INTO ledger_posting (app, customer, currency, kind, key, number, balance, date)
            SELECT app, customer, currency, kind, key || ' again', 99, balance + 5, date FROM ledger_posting WHERE \(owner) AND \(added)
            """,
            """
            INSERT INTO ledger_entry (app, customer, currency, number, account, amount)
            SELECT app, customer, currency, 99, account, amount FROM ledger_entry WHERE \(owner) AND \(posting)
            """, "UPDATE ledger_balance SET amount = amount + 5 WHERE \(owner)", finds: [.posting, .balance], at: "\(RebuildScenario.owner)"
        ),
        Damage(
            "a doubled posting before all others",
            """
            INSERT INTO ledger_posting (app, customer, currency, kind, key, number, balance, date)
            SELECT app, customer, currency, kind, key || ' again', 0, 5, date FROM ledger_posting WHERE \(owner) AND \(added)
            """, finds: [.posting], at: "\(RebuildScenario.owner)"),
        Damage(
            "a posting to another customer, too",
            """
            INSERT INTO ledger_posting (app, customer, currency, kind, key, number, balance, date)
            SELECT app, 'somebody', currency, kind, key, 1, 5, date FROM ledger_posting WHERE \(owner) AND \(added)
            """, finds: [.posting], at: "somebody"),
        Damage(
            "a changed date of a purchase's posting", "UPDATE ledger_posting SET date = 1 WHERE \(owner) AND \(added)", finds: [.posting],
            at: "2000000000000001"),
        Damage(
            "a changed amount of a purchase", "UPDATE ledger_entry SET amount = amount * 100 WHERE \(owner) AND \(posting)",
            finds: [.posting], at: "\(RebuildScenario.owner)"),
        Damage(
            "a changed amount of a debit",
            """
            UPDATE ledger_entry SET amount = -800 WHERE \(owner) AND account = 'balance' AND number = (
                SELECT number FROM ledger_posting WHERE app = ?1 AND \(owner) AND key = 'b')
            """, finds: [.posting], at: "\(RebuildScenario.owner)"),
        Damage(
            "a changed balance after a debit", "UPDATE ledger_posting SET balance = 77 WHERE \(owner) AND key = 'a'", finds: [.posting],
            at: "\(RebuildScenario.owner)"),
        Damage(
            "a changed balance", "UPDATE ledger_balance SET amount = 1000 WHERE \(owner)", finds: [.balance], at: "\(RebuildScenario.owner)"
        ),
        Damage(
            "a frozen balance", "UPDATE ledger_balance SET is_frozen = TRUE WHERE \(owner)", finds: [.balance],
            at: "\(RebuildScenario.owner)"),
        Damage("a lost balance", "DELETE FROM ledger_balance WHERE \(owner)", finds: [.balance], at: "\(RebuildScenario.owner)"),
        Damage(
            "an entry without a posting",
            "INSERT INTO ledger_entry (app, customer, currency, number, account, amount) VALUES (?1, '\(RebuildScenario.owner)', 'credits', 98, 'balance', 5)",
            finds: [.posting], at: "\(RebuildScenario.owner)"),
        Damage(
            "a merge that moved another amount",
            "UPDATE ledger_entry SET amount = amount + 1 WHERE account = 'transfers'", finds: [.posting], at: "\(RebuildScenario.second)"),
        Damage(
            "a reversal of a merge that left another balance",
            "UPDATE ledger_posting SET balance = balance + 1 WHERE kind = 'merge-reversal' AND customer = '\(RebuildScenario.second)'",
            finds: [.posting], at: "\(RebuildScenario.second)"),
        // Recorded decisions that other rows confirm
        Damage("a lost decision about credits", "DELETE FROM credit_decision WHERE \(first)", finds: [.decision], at: "2000000000000001"),
        Damage(
            "lost decisions about credits with a damaged number of changes", "DELETE FROM credit_decision WHERE \(refunded)",
            "UPDATE purchase_credit SET changes = \(Int64.max) WHERE \(refunded)", finds: [.decision, .credit], at: "300"),
        Damage(
            "lost decisions about credits with damaged amounts", "DELETE FROM credit_decision WHERE \(refunded)",
            "UPDATE ledger_entry SET amount = \(Int64.min) WHERE account = 'refunds' AND \(owner)", finds: [.decision, .posting], at: "300"),
        Damage(
            "a changed decision about credits", "UPDATE credit_decision SET credits = 1 WHERE \(first)", finds: [.decision],
            at: "2000000000000001"),
        // Notifications
        Damage("a changed notification", "UPDATE notification SET kind = 'TEST' WHERE kind = 'DID_RENEW'", finds: [.notification], at: nil),
        Damage(
            "a lost signed event that a notification contains",
            "DELETE FROM signed_event WHERE \(subscription) AND event LIKE '%SUBSCRIBED%'", finds: [.event], at: "400"),
        // Signed originals
        Damage(
            "a changed signed transaction",
            "UPDATE signed_event SET signed_transaction = replace(signed_transaction, '\"quantity\":1', '\"quantity\":9') WHERE \(first)",
            finds: [.original], at: "2000000000000001", isRepaired: false),
        Damage(
            "a changed signature", "UPDATE signed_event SET signed_transaction = replace(signed_transaction, 'A', 'B') WHERE \(first)",
            finds: [.original], at: "2000000000000001", isRepaired: false),
        Damage(
            "a changed source of a signed event",
            "UPDATE signed_event SET event = replace(event, 'DID_RENEW', 'EXPIRED') WHERE \(subscription)", finds: [.original], at: "400",
            isRepaired: false),
        Damage(
            "signed data of another purchase",
            """
            UPDATE signed_event SET signed_transaction = (
                SELECT max(signed_transaction) FROM signed_event AS other WHERE other.app = ?1 AND other.\(refunded))
            WHERE \(first)
            """, finds: [.original], at: "2000000000000001", isRepaired: false),
        Damage(
            "a changed receipt", "UPDATE receipt SET receipt = digest", finds: [.original], at: "900", isRepaired: false),
        Damage("a lost receipt", "DELETE FROM receipt", finds: [.original], at: "900", isRepaired: false),
        Damage(
            "a lost signed event", "DELETE FROM signed_event WHERE original_transaction_id = '500'", finds: [.original], at: "500",
            isRepaired: false),
        Damage(
            "a lost purchase with a lost signed event", "DELETE FROM purchase WHERE original_transaction_id = '500'",
            "DELETE FROM signed_event WHERE original_transaction_id = '500'", finds: [.original], at: "500", isRepaired: false),
        Damage(
            "a lost posting of a debit", "DELETE FROM ledger_posting WHERE \(owner) AND key = 'b'", finds: [.posting],
            at: "\(RebuildScenario.owner)", isRepaired: false),
        Damage(
            "a changed notification's signature",
            "UPDATE notification SET signed_notification = replace(signed_notification, 'DID_RENEW', 'REFUND')", finds: [.original],
            at: nil, isRepaired: false),
        Damage(
            "a debit of which nothing states the amount",
            """
            DELETE FROM ledger_entry WHERE \(owner) AND number = (
                SELECT number FROM ledger_posting WHERE app = ?1 AND \(owner) AND key = 'b')
            """, finds: [.posting], at: "\(RebuildScenario.owner)", isRepaired: false),
    ]
}

/// Tests of a rebuild from signed originals and recorded decisions.
@Suite struct RebuildTests {
    @Test(arguments: RefundPolicy.allCases)
    func `a database without damage has no difference, and a rebuild changes nothing`(_ policy: RefundPolicy) async throws {
        try await RebuildScenario.open(try SQLitePurchaseStorage(.memory), policy: policy) { scenario in
            let before = try await scenario.rows()
            for isWriting in [false, true] {
                let (report, differences) = try await scenario.rebuild(isWriting: isWriting)
                #expect(differences.isEmpty, "\(differences)")
                #expect(report.isConsistent)
                #expect(report.compared == ["notifications": 7, "purchases": 6, "customer-purchases": 6, "ledgers": 3])
                #expect(try await scenario.rows() == before)
            }
        }
    }

    @Test(arguments: Damage.all)
    func `damage is found, and repaired if anything else states what is right`(_ damage: Damage) async throws {
        try await RebuildScenario.open(try SQLitePurchaseStorage(.memory)) { scenario in
            let before = try await scenario.rows()
            let changed = try await scenario.execute(damage.statements)
            #expect(!changed.contains(0), "\(changed)")
            let damaged = try await scenario.rows()
            #expect(damaged != before)
            let (report, found) = try await scenario.rebuild()
            #expect(!report.isConsistent)
            #expect(damage.kinds == Set(found.map(\.kind)), "\(found.map(\.description).joined(separator: "\n"))")
            if let place = damage.place {
                #expect(found.contains { $0.purchase?.rawValue == place || $0.customer?.rawValue == place }, "\(found)")
            }
            #expect(try await scenario.rows() == damaged)
            let (repair, _) = try await scenario.rebuild(isWriting: true)
            #expect(repair.isConsistent == damage.isRepaired)
            #expect(try await scenario.rows() == (damage.isRepaired ? before : damaged))
            let (again, rest) = try await scenario.rebuild()
            #expect(again.isConsistent == damage.isRepaired, "\(rest)")
            if !damage.isRepaired { #expect(rest.contains { $0.resolution == .restore }, "\(rest)") }
        }
    }

    @Test func `a rebuild with other roots says that the roots are wrong, and not that rows are damaged`() async throws {
        try await RebuildScenario.open(try SQLitePurchaseStorage(.memory)) { scenario in
            var configuration = scenario.configuration
            configuration.roots = try TestAuthority.other.roots
            let server = try await PurchaseServer(
                configuration: configuration, storage: scenario.storage, clock: scenario.clock, logger: .silent)
            let found = Mutex<[RebuildDifference]>([])
            let report = try await server.rebuild(.test, isWriting: false) { event in
                if case .difference(let difference) = event { found.withLock { $0.append(difference) } }
            }
            let originals = found.withLock { $0 }.filter { $0.kind == .original }
            #expect(!originals.isEmpty)
            for difference in originals {
                #expect(difference.resolution == .trust, "\(difference)")
                #expect(difference.nextStep.contains("extra-roots-file") && !difference.nextStep.contains("Restore"))
            }
            #expect(report?.untrusted == Int64(originals.count) && report?.unrepairable == 0)
            #expect(report?.summary.contains("under wrong roots") == true)
        }
    }

    @Test func `an interrupted rebuild continues, and its report contains what was found before`() async throws {
        let database = try SQLitePurchaseStorage(.memory)
        let storage = InterruptibleStorage(storage: database)
        try await RebuildScenario.open(storage) { scenario in
            for number in 1_000..<1_200 {
                let id = TransactionID("\(number)")
                try await scenario.submit(.creditSale.with { ($0.transactionId, $0.originalTransactionId) = (id, id) })
            }
            // The first and the last page of purchases.
            try await scenario.execute(
                ["1000", "900"].map { "DELETE FROM purchase_credit WHERE original_transaction_id = '\($0)' AND app = ?1" })
            storage.interrupt(afterWrites: 3)
            await #expect(throws: StorageError.locked) { try await scenario.rebuild() }
            let events = Mutex<[RebuildEvent]>([])
            let report = try #require(
                try await scenario.server.rebuild(.test, isWriting: false) { event in events.withLock { $0.append(event) } })
            var (found, continued): ([TransactionID], Int64?) = ([], nil)
            for event in events.withLock({ $0 }) {
                switch event {
                case .continued(let report): continued = report.differences
                case .difference(let difference): found += [difference.purchase].compactMap { $0 }
                case .progress(let completed, let total, _): #expect(completed <= total)
                }
            }
            #expect(continued == 1 && found == ["900"] && report.differences == 2)
            #expect(report.compared["purchases"] == 206)
            // A complete run begins again, and so does one that is told to.
            #expect(try await scenario.rebuild().differences.compactMap(\.purchase) == ["1000", "900"])
            storage.interrupt(afterWrites: 3)
            await #expect(throws: StorageError.locked) { try await scenario.rebuild(isWriting: true) }
            let all = try #require(try await scenario.server.rebuild(.test, isWriting: true, restarting: true) { _ in })
            #expect(all.compared["purchases"] == 206 && all.isConsistent)
            #expect(try await scenario.rebuild().report.differences == 0)
        }
    }

    @Test func `a server records purchases while its database is rebuilt`() async throws {
        try await RebuildScenario.open(try SQLitePurchaseStorage(.memory)) { scenario in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 1_000..<1_200 {
                        let id = TransactionID("\(number)")
                        let sale = TransactionPayload.creditSale.with { ($0.transactionId, $0.originalTransactionId) = (id, id) }
                        try await scenario.submit(sale)
                        try await scenario.notify(sale.refunded(after: Int64(number)), type: "REFUND")
                        try await scenario.execute(["UPDATE purchase SET customer = 'somebody' WHERE app = ?1"])
                    }
                }
                group.addTask { for _ in 0..<10 { _ = try await scenario.rebuild(isWriting: true) } }
                try await group.waitForAll()
            }
            #expect(try await scenario.rebuild(isWriting: true).report.isConsistent)
            let (report, differences) = try await scenario.rebuild()
            #expect(report.differences == 0, "\(differences)")
        }
    }

    @Test func `a database of an earlier version has no difference after its migration`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path()
            let storage = try SQLitePurchaseStorage(.file(path))
            try await RebuildScenario.open(storage) { scenario in
                try await scenario.claimShared()
                try await storage.writer.writeWithoutTransaction { db in
                    try db.execute(
                        sql: """
                            CREATE TABLE purchase_transfer (app TEXT NOT NULL, original_transaction_id TEXT NOT NULL, number INTEGER NOT NULL,
                                from_customer TEXT NOT NULL, to_customer TEXT NOT NULL, date INTEGER NOT NULL,
                                PRIMARY KEY (app, original_transaction_id, number)) STRICT, WITHOUT ROWID;
                            INSERT INTO purchase_transfer SELECT app, original_transaction_id, number - 1, previous, customer, date
                                FROM purchase_claim WHERE outcome = 'transferred';
                            DROP TABLE purchase_claim; DROP TABLE credit_decision; DROP TABLE rebuild_progress;
                            DELETE FROM grdb_migrations WHERE identifier LIKE '9 %';
                            """)
                }
                let migrated = RebuildScenario(
                    server: try await PurchaseServer(
                        configuration: scenario.configuration, storage: try SQLitePurchaseStorage(.file(path)), clock: scenario.clock,
                        logger: .silent), storage: storage, clock: scenario.clock, configuration: scenario.configuration)
                let (report, differences) = try await migrated.rebuild()
                #expect(report.differences == 0 && report.compared["purchases"] == 7, "\(differences)")
            }
        }
    }
}

/// Tests of a rebuild of a PostgreSQL database.
@Suite(.postgresCluster, .timeLimit(.minutes(10))) struct PostgresRebuildTests {
    @Test func `damage to a PostgreSQL database is found and repaired`() async throws {
        let storage = try await PostgresPurchaseStorage(PostgresDatabase(url: PostgresClusterTrait.createDatabase(), connections: 4))
        try await RebuildScenario.open(storage) { scenario in
            let (clean, none) = try await scenario.rebuild()
            #expect(clean.compared["purchases"] == 6 && none.isEmpty, "\(none)")
            for damage in Damage.all where damage.isRepaired {
                // Some statements are valid in SQLite only.
                guard let changed = try? await scenario.execute(damage.statements) else { continue }
                #expect(!changed.contains(0))
                let (_, found) = try await scenario.rebuild()
                #expect(damage.kinds == Set(found.map(\.kind)), "\(damage.testDescription): \(found)")
                #expect(try await scenario.rebuild(isWriting: true).report.isConsistent)
                let (report, rest) = try await scenario.rebuild()
                #expect(report.differences == 0, "\(damage.testDescription): \(rest)")
            }
        }
    }
}
