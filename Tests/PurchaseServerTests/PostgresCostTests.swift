import LibPQ
import PostgresTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of what a request costs a PostgreSQL database, counted in the rows and index entries that its plans read.
@Suite(.postgresCluster, .timeLimit(.minutes(10))) struct PostgresCostTests {
    private static let app: BundleID = .test

    /// The numbers of rows that requests read.
    private struct Rows {
        var renewal = 0
        var refund = 0
        var entitlements = 0
    }

    /// Multiplies the rows of the only purchase, so that its customer has many earlier periods, and many consumables.
    private static func multiply(_ count: Int, in url: String, isAnalyzed: Bool) async throws {
        try await PostgresPool(url, limit: 1).withConnection { connection in
            try connection.query(
                """
                INSERT INTO transaction_version SELECT app, original_transaction_id, 'x' || i, purchase_date - i * 86400000,
                    paid_until - i * 86400000, app_account_token, 'p' || i, signed_date - i, source, 'order-line:p' || i, is_revoked,
                    was_revoked, revoked_percentage, digest, event FROM transaction_version, generate_series(CAST(1 AS BIGINT), \(count)) AS i
                """)
            try connection.query(
                """
                INSERT INTO purchase_period SELECT app, original_transaction_id, 'p' || i, start - i * 86400000
                FROM purchase_period, generate_series(CAST(1 AS BIGINT), \(count)) AS i
                """)
            try connection.query(
                """
                INSERT INTO purchase_credit SELECT app, original_transaction_id, 'order-line:p' || i, 'x' || i, customer, currency, credits,
                    revoked, written_off, changes FROM purchase_credit, generate_series(CAST(1 AS BIGINT), \(count)) AS i
                """)
            try connection.query(
                """
                INSERT INTO customer_purchase SELECT app, customer, 'coins', 'y' || i, attribution, owner, entitlement
                FROM customer_purchase, generate_series(CAST(1 AS BIGINT), \(count)) AS i
                """)
            if isAnalyzed { try connection.query("ANALYZE") }
        }
    }

    /// Returns the number of rows and index entries that `body` reads.
    private static func countingRows(of records: any StorageTransaction, _ body: () throws -> Void) throws -> Int {
        let transaction = try #require(records as? SQLTransaction)
        func rows() throws -> Int {
            try #require(
                try transaction.first(
                    """
                    SELECT CAST(sum(pg_stat_get_xact_tuples_returned(oid)) AS BIGINT) AS number FROM pg_class
                    WHERE relnamespace = 'public'::regnamespace AND ?1 <> ''
                    """
                ) { try $0["number"] as Int })
        }
        let before = try rows()
        try body()
        return try rows() - before
    }

    private static func rows(after count: Int, isAnalyzed: Bool) async throws -> Rows {
        let url = try PostgresClusterTrait.createDatabase()
        let storage = try await PostgresPurchaseStorage(PostgresDatabase(url: url, connections: 2))
        let recorder = PurchaseRecorder(
            catalog: ProductCatalog([ServerProduct(id: .magazine, credits: 10)]), refundPolicy: .debt, transfers: TransferRules(),
            clock: ManualClock())
        let (first, second) = try await (CostTests.renewal(0), CostTests.renewal(1))
        let authority = TestAuthority.shared
        let signed: SignedTransaction = try authority.signedData.sign(second.event.transaction.refunded(after: 60))
        let refund = try #require(VerifiedEvent(try await authority.verifier().verify(signed), source: "REFUND"))
        try await storage.write(app) { _ = try recorder.record(first, in: $0) }
        try await multiply(count, in: url, isAnalyzed: isAnalyzed)
        func measure(_ event: VerifiedEvent) async throws -> Int {
            try await storage.write(app) { records in try countingRows(of: records) { _ = try recorder.record(event, in: records) } }
        }
        return Rows(
            renewal: try await measure(second), refund: try await measure(refund),
            entitlements: try await storage.read(app) { records in
                try countingRows(of: records) {
                    let products = try records.products(of: Shop.customer)
                    let purchases = try records.purchases(of: Shop.customer, product: .magazine)
                    let holdings = try records.holdings(of: Shop.customer, limit: 5) { _ in true }
                    let evidence = try records.decidingEvidence(of: "70000")
                    #expect(products == ["coins", .magazine] && purchases.count == 1 && holdings == nil && !evidence.isEmpty)
                }
            })
    }

    @Test(arguments: [false, true])
    func `a request reads as many rows for a customer with 10 and with 5,000 transactions, with and without statistics`(
        isAnalyzed: Bool
    ) async throws {
        let few = try await Self.rows(after: 10, isAnalyzed: isAnalyzed)
        let many = try await Self.rows(after: 5_000, isAnalyzed: isAnalyzed)
        print("rows of a renewal, a refund and entitlements: after 10 transactions \(few), after 5,000 \(many)")
        #expect(few.renewal > 5 && few.refund > 5 && few.entitlements > 5)
        #expect(many.renewal <= few.renewal + 3 && many.refund <= few.refund + 3 && many.entitlements <= few.entitlements + 3)
    }
}
