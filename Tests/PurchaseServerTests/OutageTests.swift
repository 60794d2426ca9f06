import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import MessageSignatures
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Synchronization
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of a server whose database can't be read or written.
@Suite struct OutageTests {
    private static let beta: EntitlementName = "beta"

    @Test func `entitlements and balances are answered from the last read, are marked stale, and still end`() async throws {
        let (storage, clock) = (try UnreliableStorage(), ManualClock())
        let entitlements = EntitlementService(app: .test, storage: storage, catalog: ProductCatalog([]), clock: clock)
        let ledger = LedgerService(app: .test, storage: storage, clock: clock)
        let (jane, joe) = (CustomerReference.alias("jane"), CustomerReference.alias("joe"))
        let until = clock.now.adding(days: 2)
        _ = try await entitlements.grant(Self.beta, to: jane, GrantEntitlementRequest(until: until))
        _ = try await ledger.grant(DebitRequest(idempotencyKey: "a", amount: 5), to: jane)
        let current = try await entitlements.read(Self.beta, of: jane, at: nil)
        #expect(current.isActive && current.staleSince == nil)
        #expect(try await ledger.balances(of: jane).staleSince == nil)
        let lastRead = clock.now

        storage.fail(.failed("SQLITE_IOERR"))
        clock.advance(seconds: 3_600)
        let stale = try await entitlements.read(Self.beta, of: jane, at: nil)
        #expect(stale.isActive && stale.staleSince == lastRead)
        let list = try await entitlements.list(of: jane, at: nil, withEvidence: false)
        #expect(list.staleSince == lastRead && list.entitlements.map(\.isActive) == [true])
        let balances = try await ledger.balances(of: jane)
        #expect(balances.amount() == 5 && balances.staleSince == lastRead)
        // Nothing else is answered: another customer, a past moment, evidence, a write.
        await #expect(throws: StorageError.self) { try await entitlements.read(Self.beta, of: joe, at: nil) }
        await #expect(throws: StorageError.self) { try await entitlements.read(Self.beta, of: jane, at: lastRead) }
        await #expect(throws: StorageError.self) { try await entitlements.list(of: jane, at: nil, withEvidence: true) }
        await #expect(throws: StorageError.self) { try await ledger.debit(DebitRequest(idempotencyKey: "b", amount: 1), from: jane) }
        // After a day, the last read counts no longer.
        clock.advance(seconds: 24 * 3_600)
        await #expect(throws: StorageError.self) { try await entitlements.read(Self.beta, of: jane, at: nil) }

        storage.fail(nil)
        #expect(try await entitlements.read(Self.beta, of: jane, at: nil).staleSince == nil)
        storage.fail(.locked)
        clock.set(until)
        #expect(try await !entitlements.read(Self.beta, of: jane, at: nil).isActive)
    }

    @Test(arguments: [StorageError.failed("SQLITE_IOERR"), .locked, .full])
    func `an outage of the database is over without a manual step: reads are stale, writes are repeated later`(
        _ error: StorageError
    ) async throws {
        let storage = try UnreliableStorage()
        try await Self.open(storage) { shop async throws in
            let book = EntitlementName(ProductID.book.rawValue)
            let signed: SignedTransaction = try TestAuthority.shared.signedData.sign(TransactionPayload.creditSale)
            let submission = SubmitPurchasesRequest(proofs: [PurchaseProofInput(signedTransaction: signed)])
            try await shop.record(.bookSale)
            _ = try await shop.call(ServerEndpoints.creditGrant, DebitRequest(idempotencyKey: "a", amount: 10))
            func entitlement() async throws -> EntitlementReply { try await shop.entitlement(to: book, by: shop.app) }
            func balances() async throws -> BalancesReply {
                try await shop.call(ServerEndpoints.balances, Empty(), by: shop.app).value()
            }
            func writes() async throws -> [Answer] {
                [
                    try await shop.debit(3, "order"), try await shop.call(ServerEndpoints.purchases, submission, by: shop.app),
                    try await shop.call(ServerEndpoints.createCustomer, CreateCustomerRequest(), by: .app(nil)),
                    try await shop.call(ServerEndpoints.addAlias, AddAliasRequest(alias: "jane")),
                    try await shop.notify(
                        .about(.creditSale, type: "ONE_TIME_CHARGE", uuid: "0b0b0b0b-1111-4222-8333-000000000001")),
                ]
            }
            #expect(try await entitlement().staleSince == nil)
            #expect(try await balances().amount() == 10)
            let lastRead = shop.clock.now

            storage.fail(error)
            // The API keys of the requests are no longer in the memory of recent keys.
            shop.clock.advance(seconds: 60)
            #expect(try await shop.get("/readyz").status == .serviceUnavailable)
            #expect(try await shop.get("/health").status == .ok)
            let stale = try await entitlement()
            #expect(stale.isActive && stale.staleSince == lastRead)
            let staleBalances = try await balances()
            #expect(staleBalances.amount() == 10 && staleBalances.staleSince == lastRead)
            let unknown = try await shop.send(.get, "/v1/customer/balances", .backend("nobody"))
            // A lease would make the last read valid for days.
            let device = try P256SigningKey(newWithID: "device").verificationKey.thumbprint.rawValue
            let lease = try await shop.call(ServerEndpoints.lease, LeaseRequest(deviceKey: device), by: shop.app)
            for answer in try await writes() + [unknown, lease] {
                #expect(answer.status == .serviceUnavailable)
                #expect(answer.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 0)
            }

            storage.fail(nil)
            #expect(try await shop.get("/readyz").status == .ok)
            let currentBalances = try await balances()
            #expect(currentBalances.amount() == 10 && currentBalances.staleSince == nil)
            for answer in try await writes() { #expect(answer.status == .ok, "\(answer.code ?? "")") }
            let current = try await entitlement()
            #expect(current.isActive && current.staleSince == nil)
            // Each write that was repeated has its effect once.
            #expect(try await balances().amount() == 12)
        }
    }

    @Test func `during an outage, an alias in another Unicode form is another customer`() async throws {
        let storage = try UnreliableStorage()
        try await Self.open(storage) { shop async throws in
            // The two forms of café, percent-encoded as in a request.
            let (composed, decomposed): (Shop.Sender, Shop.Sender) = (.backend("caf%C3%A9"), .backend("cafe%CC%81"))
            _ = try await shop.call(ServerEndpoints.creditGrant, DebitRequest(idempotencyKey: "a", amount: 10), by: composed)
            for sender in [composed, decomposed] {
                _ = try await shop.call(ServerEndpoints.customerToken, Empty(), by: sender)
            }
            #expect(try await shop.call(ServerEndpoints.balances, Empty(), by: composed).value(BalancesReply.self).amount() == 10)
            storage.fail(.locked)
            #expect(try await shop.call(ServerEndpoints.balances, Empty(), by: composed).value(BalancesReply.self).staleSince != nil)
            #expect(try await shop.call(ServerEndpoints.balances, Empty(), by: decomposed).status == .serviceUnavailable)
            #expect(try await shop.call(ServerEndpoints.entitlements, Empty(), by: decomposed).status == .serviceUnavailable)
        }
    }

    /// Opens a shop with a storage, and without an App Store.
    private static func open(
        _ storage: any PurchaseStorage, _ body: @Sendable @escaping (Shop) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try Shop.bookText.write(to: folder.file("book.txt"))
            let clock = ManualClock()
            let server = try await PurchaseServer(
                configuration: Shop.configuration(contentFolder: folder.url.path()), storage: storage, clock: clock,
                transportClock: clock, logger: .silent)
            try await server.application(hostname: "127.0.0.1", port: 0) { _ in }.test(.live) { client in
                let service = try #require(server.apiKeys(of: .test))
                let keys = Shop.Keys(
                    publishable: try await service.create(.publishable).text, secret: try await service.create(.secret).text,
                    admin: try await service.create(.admin).text)
                let customers = try #require(server.apps[.test]).customers
                let token = try await customers.issueToken(for: .id(Shop.customer)).token
                try await body(
                    Shop(
                        folder: folder, clock: clock, appStore: FakeAppStore(), server: server, client: client, keys: keys,
                        customerToken: token))
            }
        }
    }

    @Test func `the memory of recent reads is bounded, and those of frequent callers stay`() async throws {
        let reads = RecentReads<Int, Int>(capacity: 10)
        let now = Timestamp.testStart
        func isKept(_ key: Int) async -> Bool {
            (try? await reads.value(for: key, at: now) { throw StorageError.locked }) != nil
        }
        for key in 0..<100 {
            _ = try await reads.value(for: key, at: now) { key }
            #expect(await isKept(0))
        }
        var kept = 0
        for key in 0..<100 where await isKept(key) { kept += 1 }
        #expect((10...20).contains(kept))
    }

    @Test func `an error that is not the database's is never answered from a recent read`() async throws {
        let reads = RecentReads<Int, Int>()
        _ = try await reads.value(for: 1, at: .testStart) { 1 }
        await #expect(throws: CustomerRefusal.token) {
            try await reads.value(for: 1, at: .testStart) { throw CustomerRefusal.token }
        }
    }

    @Test func `a server on a full disk is not ready`() async throws {
        let free = Mutex<Int64>(1 << 30)
        let storage = try SQLitePurchaseStorage(.memory, freeBytes: { free.withLock { $0 } })
        try await storage.checkWritable()
        free.withLock { $0 = 4_096 }
        await #expect(throws: StorageError.full) { try await storage.checkWritable() }
    }
}
