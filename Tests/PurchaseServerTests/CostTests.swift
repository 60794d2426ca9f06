import Crypto
import Foundation
import GRDB
import GRDBSQLite
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Synchronization
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of what an event costs the database, counted in steps of SQLite's virtual machine, which do not depend on the machine's speed.
@Suite struct CostTests {
    private static let app: BundleID = .test

    static func renewal(_ number: Int64) async throws -> VerifiedEvent {
        let payload = TransactionPayload.sale(
            .magazine, .autoRenewable, id: TransactionID("7000\(number)"), expires: .testStart.adding(days: 30 * (number + 1))
        ).with {
            ($0.originalTransactionId, $0.webOrderLineItemId) = ("70000", "9\(number)")
            ($0.purchaseDate, $0.signedDate) = (.testStart.adding(days: 30 * number), .testStart.adding(days: 30 * number))
        }
        let authority = TestAuthority.shared
        let renewal = RenewalInfoPayload.sample(original: "70000", date: payload.signedDate)
        let event = try await VerifiedEvent(
            authority.verifier().verify(authority.signedData.sign(payload) as SignedTransaction),
            authority.verifier().verify(authority.signedData.sign(renewal) as SignedRenewalInfo), source: "DID_RENEW")
        return try #require(event)
    }

    /// Multiplies the rows of the only purchase, so that its customer has many earlier periods, each with credits.
    private static func multiply(_ count: Int, _ storage: SQLitePurchaseStorage) async throws {
        try await storage.writer.writeWithoutTransaction { db in
            let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
            try db.execute(
                sql: """
                    \(numbers) INSERT INTO transaction_version SELECT app, original_transaction_id, 'x' || i, purchase_date - i * 86400000,
                        paid_until - i * 86400000, app_account_token, 'p' || i, signed_date - i, source, 'order-line:p' || i, is_revoked,
                        was_revoked, revoked_percentage, digest, event FROM transaction_version, n;
                    \(numbers) INSERT INTO purchase_period SELECT app, original_transaction_id, 'p' || i, start - i * 86400000
                        FROM purchase_period, n;
                    \(numbers) INSERT INTO signed_event SELECT app, original_transaction_id, randomblob(32), signed_date - i, received_at,
                        signed_transaction, signed_renewal_info, receipt, event FROM signed_event, n;
                    \(numbers) INSERT INTO purchase_credit SELECT app, original_transaction_id, 'order-line:p' || i, 'x' || i, customer,
                        currency, credits, revoked, written_off, changes FROM purchase_credit, n;
                    \(numbers) INSERT INTO ledger_posting SELECT app, customer, currency, kind, 'p' || i, number + i, balance, date
                        FROM ledger_posting, n;
                    UPDATE ledger_balance SET postings = postings + \(count);
                    \(numbers) INSERT INTO customer_purchase SELECT app, customer, product_id, 'y' || i, attribution, owner,
                        entitlement FROM customer_purchase, n;
                    """)
        }
    }

    private static func countingSteps(of records: any StorageTransaction, _ body: () throws -> Void) throws -> Int {
        let connection = try #require((records as? SQLTransaction)?.connection as? SQLiteTransactionConnection).db.sqliteConnection
        let steps = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        steps.initialize(to: 0)
        defer { steps.deallocate() }
        sqlite3_progress_handler(
            connection, 1,
            { steps in
                steps?.assumingMemoryBound(to: Int.self).pointee += 1
                return 0
            }, steps)
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        try body()
        return steps.pointee
    }

    /// Returns the steps that recording a renewal and its refund takes after a number of earlier periods.
    private static func steps(after count: Int) async throws -> (renewal: Int, refund: Int) {
        let storage = try SQLitePurchaseStorage(.memory)
        let recorder = PurchaseRecorder(
            catalog: ProductCatalog([ServerProduct(id: .magazine, credits: 10)]), refundPolicy: .debt, transfers: TransferRules(),
            clock: ManualClock())
        let (first, second) = try await (renewal(0), renewal(1))
        let authority = TestAuthority.shared
        let signed: SignedTransaction = try authority.signedData.sign(second.event.transaction.refunded(after: 60))
        let refund = try #require(VerifiedEvent(try await authority.verifier().verify(signed), source: "REFUND"))
        try await storage.write(app) { _ = try recorder.record(first, in: $0) }
        try await multiply(count, storage)
        func measure(_ event: VerifiedEvent) async throws -> Int {
            try await storage.write(app) { records in try countingSteps(of: records) { _ = try recorder.record(event, in: records) } }
        }
        let result = (renewal: try await measure(second), refund: try await measure(refund))
        let balance = try await storage.read(app) { try $0.balance(of: Shop.customer, in: .credits).amount }
        #expect(balance == 10)
        return result
    }

    @Test func `an event costs the same for a customer with 10 and with 10,000 transactions`() async throws {
        let few = try await Self.steps(after: 10)
        let many = try await Self.steps(after: 10_000)
        print("SQLite steps of a renewal and of a refund: after 10 transactions \(few), after 10,000 \(many)")
        #expect(few.renewal > 100 && few.refund > 100)
        #expect(many.renewal <= few.renewal + few.renewal / 10)
        #expect(many.refund <= few.refund + few.refund / 10)
    }

    /// A storage that counts the steps of its reads.
    private final class CountingStorage: PurchaseStorage {
        let base: SQLitePurchaseStorage
        let steps = Mutex(0)

        init(base: SQLitePurchaseStorage) { self.base = base }

        func read<Value: Sendable>(
            _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
        ) async throws -> Value {
            let (value, count) = try await base.read(app) { records in
                var value: Value?
                let count = try CostTests.countingSteps(of: records) { value = try body(records) }
                return (try #require(value), count)
            }
            steps.withLock { $0 += count }
            return value
        }

        func write<Value: Sendable>(
            _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
        ) async throws -> Value { try await base.write(app, body) }

        func writeSecrets<Value: Sendable>(
            _ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value
        ) async throws -> Value { try await base.writeSecrets(body) }

        func checkWritable() async throws { try await base.checkWritable() }
    }

    /// Returns the steps of reading one entitlement and all entitlements of a customer who has a pass and bought consumables.
    private static func steps(ofReadsAfter consumables: Int) async throws -> Int {
        let storage = CountingStorage(base: try SQLitePurchaseStorage(.memory))
        let catalog = ProductCatalog([ServerProduct(id: "pass", entitlements: ["member"]), ServerProduct(id: "hint", entitlements: [])])
        let records = (0...consumables).map { number in
            let transaction = TransactionPayload.sale(
                number == 0 ? "pass" : "hint", number == 0 ? .nonConsumable : .consumable, id: TransactionID("\(number)"))
            return PurchaseRecord(
                timeline: EntitlementTimeline(first: SignedEvent(transaction: transaction, source: "app")),
                customer: Shop.customer, attribution: .backend)
        }
        try await storage.write(app) { transaction in
            try transaction.put(CustomerRecord(id: Shop.customer, createdAt: .testStart))
            for record in records { try transaction.put(record) }
        }
        let service = EntitlementService(app: app, storage: storage, catalog: catalog, clock: ManualClock())
        let entitlement = try await service.read("member", of: .id(Shop.customer), at: nil)
        let list = try await service.list(of: .id(Shop.customer), at: nil, withEvidence: false)
        #expect(entitlement.isActive && list.entitlements == [entitlement])
        return storage.steps.withLock { $0 }
    }

    /// Returns the steps of reading the offers, and of deciding about an introductory offer, for a customer who bought consumables.
    private static func steps(ofOffersAfter consumables: Int) async throws -> Int {
        let storage = CountingStorage(base: try SQLitePurchaseStorage(.memory))
        let catalog = ProductCatalog([
            ServerProduct(id: .magazine, type: .autoRenewable, subscriptionGroupID: "1"),
            ServerProduct(id: .credits5, type: .consumable, credits: 5),
        ])
        let recorder = PurchaseRecorder(
            catalog: catalog, refundPolicy: .debt, transfers: TransferRules(), clock: ManualClock())
        let subscription = TransactionPayload.sale(.magazine, .autoRenewable, id: "1", expires: .testStart.adding(days: 30)).with {
            ($0.subscriptionGroupIdentifier, $0.offerType) = ("1", OfferType.introductory.rawValue)
        }
        let authority = TestAuthority.shared
        let signed: SignedTransaction = try authority.signedData.sign(subscription)
        let event = try #require(VerifiedEvent(try await authority.verifier().verify(signed), source: "app"))
        let records = (0..<consumables).map { number in
            let sale = TransactionPayload.sale(.credits5, .consumable, id: TransactionID("9\(number)"))
            return PurchaseRecord(
                timeline: EntitlementTimeline(first: SignedEvent(transaction: sale, source: "app")),
                customer: Shop.customer, attribution: .backend)
        }
        try await storage.write(app) { transaction in
            _ = try recorder.record(event, in: transaction)
            for record in records { try transaction.put(record) }
        }
        let signer = try OfferSigner(
            AppStoreServerAPIKey(
                issuerID: "57246542-96fe-1a63-e053-0824d011072a", keyID: "ABC1234567",
                privateKey: P256.Signing.PrivateKey().pemRepresentation), of: app, clock: ManualClock())
        let service = OfferService(app: app, storage: storage, catalog: catalog, signer: signer)
        let offers = try await service.list(of: .id(Shop.customer))
        #expect(offers.usedIntroductoryOffers == ["1"])
        let reply = try await service.introductory(IntroductoryOfferRequest(productID: .magazine), for: .id(Shop.customer))
        #expect(!reply.isEligible)
        return storage.steps.withLock { $0 }
    }

    @Test func `offers cost the same for a customer with 10 and with 10,000 consumables`() async throws {
        let few = try await Self.steps(ofOffersAfter: 10)
        let many = try await Self.steps(ofOffersAfter: 10_000)
        print("SQLite steps of two requests for offers: after 10 consumables \(few), after 10,000 \(many)")
        #expect(few > 50)
        #expect(many <= few + few / 10)
    }

    @Test func `an entitlement costs the same for a customer with 10 and with 10,000 consumables`() async throws {
        let few = try await Self.steps(ofReadsAfter: 10)
        let many = try await Self.steps(ofReadsAfter: 10_000)
        print("SQLite steps of two reads: after 10 consumables \(few), after 10,000 \(many)")
        #expect(few > 50)
        #expect(many <= few + few / 10)
    }

    /// Counts the statements for whose results a transaction waits.
    private final class CountingConnection: SQLConnection {
        private let base: any SQLConnection
        var waits = 0
        var claimLock: String { base.claimLock }

        init(_ base: any SQLConnection) { self.base = base }

        func execute(_ sql: String, _ arguments: [SQLValue]) throws { try base.execute(sql, arguments) }

        func changes(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
            waits += 1
            return try base.changes(sql, arguments)
        }

        func query<Value>(_ sql: String, _ arguments: [SQLValue], limit: Int, _ read: (any SQLRow) throws -> Value) throws -> [Value] {
            waits += 1
            return try base.query(sql, arguments, limit: limit, read)
        }
    }

    @Test(arguments: [(credits: nil, waits: 2), (credits: 10, waits: 4)])
    func `the first event of a purchase waits for few results of the database`(credits: Int?, waits: Int) async throws {
        let storage = try SQLitePurchaseStorage(.memory)
        let recorder = PurchaseRecorder(
            catalog: ProductCatalog([ServerProduct(id: .magazine, credits: credits)]), refundPolicy: .debt, transfers: TransferRules(),
            clock: ManualClock())
        let event = try await Self.renewal(0)
        let counted = try await storage.write(Self.app) { records in
            let connection = CountingConnection(try #require(records as? SQLTransaction).connection)
            _ = try recorder.record(event, in: SQLTransaction(app: Self.app, connection: connection))
            return connection.waits
        }
        #expect(counted == waits)
    }
}
