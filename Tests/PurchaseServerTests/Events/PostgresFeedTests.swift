import Foundation
import LibPQ
import PostgresTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// The feed of a PostgreSQL database that two servers share.
@Suite(.postgresCluster, .serialized, .timeLimit(.minutes(10))) struct PostgresFeedTests {
    /// Opens two servers with one database.
    private static func open(_ body: (AppServices, AppServices, ManualClock) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let url = try PostgresClusterTrait.createDatabase()
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            configuration.database = .postgres(PostgresDatabase(url: url, connections: 4))
            configuration.secretKeyFile = folder.file("server.key").path()
            let clock = ManualClock()
            let first = try await PurchaseServer(configuration: configuration, clock: clock, logger: .silent)
            let second = try await PurchaseServer(configuration: configuration, clock: clock, logger: .silent)
            try await body(#require(first.apps[.test]), #require(second.apps[.test]), clock)
        }
    }

    private static func record(_ number: Int, for customer: CustomerID, in services: AppServices) async throws {
        let sale = TransactionPayload.bookSale.with {
            ($0.transactionId, $0.originalTransactionId) = (TransactionID("\(number)"), TransactionID("\(number)"))
            $0.appAccountToken = customer
        }
        let proof = PurchaseProofInput(signedTransaction: try TestAuthority.shared.signedData.sign(sale))
        let reply = try await services.purchases.submit(SubmitPurchasesRequest(proofs: [proof]), for: nil, isBackend: true)
        #expect(reply.results.map(\.status) == [.verified])
    }

    @Test func `a reader misses no event of two servers, and reads each customer's events in order`() async throws {
        try await Self.open { first, second, _ in
            let customers = (1...4).map { CustomerID("0000000\($0)-1111-4222-8333-444444444444") }
            let count = 60
            let reader = Task {
                var (events, cursor): ([FeedEvent], FeedCursor) = ([], .start)
                // Each purchase has one event of its own, and the first purchase of a customer activates the entitlement.
                while events.count < count + customers.count {
                    let page = try await first.feed.entries(after: cursor, limit: 7)
                    events += try page.entries.map { try $0.event() }
                    cursor = page.next
                    try await first.feed.publish()
                }
                return (events, cursor)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    let services = number.isMultiple(of: 2) ? first : second
                    group.addTask {
                        try await Self.record(1_000 + number, for: customers[number % customers.count], in: services)
                        try await services.feed.publish()
                    }
                }
                try await group.waitForAll()
            }
            let (events, cursor) = try await reader.value
            #expect(cursor.position == Int64(events.count))
            #expect(Set(events.map(\.id)).count == events.count)
            #expect(events.count { $0.type == .purchaseRecorded } == count)
            let stored = try await first.storage.read(.test) { try $0.feedEvents(after: 0, limit: 500) }
            for customer in customers {
                let ordinals = stored.filter { $0.event.customer == customer }.map(\.event.ordinal)
                #expect(ordinals == ordinals.sorted() && Set(ordinals).count == ordinals.count)
                let answer = try await second.entitlements.list(of: .id(customer), at: nil, withEvidence: false).entitlements
                #expect(FeedFold(events).answers[customer] == answer.map { FeedState.Entitlement($0) })
            }
        }
    }

    @Test func `an event of an open transaction has a later position, and a reader that has passed its date receives it`() async throws {
        try await TemporaryFolder.with { folder in
            let url = try PostgresClusterTrait.createDatabase()
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            configuration.database = .postgres(PostgresDatabase(url: url, connections: 4))
            configuration.secretKeyFile = folder.file("server.key").path()
            let server = try await PurchaseServer(configuration: configuration, clock: ManualClock(), logger: .silent)
            let services = try #require(server.apps[.test])
            // A transaction of another server has inserted its event, and has not ended.
            let open = try PostgresConnection(url)
            _ = try open.query("BEGIN")
            _ = try open.query(
                """
                INSERT INTO feed_outbox (app, ordinal, id, type, recorded_at, event)
                VALUES ('\(BundleID.test)', 1, 'evt_00000000', 'seat.ended', 1, '{}')
                """)
            try await Self.record(1, for: Shop.customer, in: services)
            try await services.feed.publish()
            let before = try await services.feed.entries(after: .start, limit: 9)
            #expect(before.entries.map(\.type) == ["purchase.recorded", "entitlement.activated"])
            #expect(try await services.feed.entries(after: before.next, limit: 9).entries.isEmpty)
            _ = try open.query("COMMIT")
            async let one: Void = services.feed.publish()
            async let two: Void = services.feed.publish()
            _ = try await (one, two)
            #expect(try await services.feed.entries(after: before.next, limit: 9).entries.map(\.type) == ["seat.ended"])
        }
    }

    @Test func `two servers emit each change by time once`() async throws {
        try await Self.open { first, second, clock in
            let end = Timestamp.testStart.adding(days: 30)
            for number in 1...20 {
                let month = TransactionPayload.sale(.magazine, .autoRenewable, id: TransactionID("\(number)"), expires: end).with {
                    $0.appAccountToken = CustomerID("000000\(number + 10)-1111-4222-8333-444444444444")
                }
                let proof = PurchaseProofInput(signedTransaction: try TestAuthority.shared.signedData.sign(month))
                _ = try await first.purchases.submit(SubmitPurchasesRequest(proofs: [proof]), for: nil, isBackend: true)
            }
            clock.set(end)
            async let one: Void = first.feed.advance()
            async let two: Void = second.feed.advance()
            _ = try await (one, two)
            try await first.feed.publish()
            let ended = try await first.feed.allEvents().filter { $0.type == .entitlementEnded }
            #expect(ended.count == 20 && Set(ended.map(\.customer)).count == 20)
        }
    }
}
