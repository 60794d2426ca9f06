import Foundation
import LocalAppStore
import MessageSignatures
import OpenStoreKit
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import StoreKit
import StoreTestSupport
import Synchronization
import Testing
import Wire

@testable import PurchaseKit

/// Purchases that are delivered through a server, whose ledger has the credits.
@Suite struct ServerLedgerTests {
    private let credits = SampleProduct.credits5
    private let customer = CustomerID(UUID())
    private let phone: Phone
    private let database: StubPurchaseService.Database
    private let server: StubPurchaseService

    init() async throws {
        phone = try await Phone()
        database = StubPurchaseService.Database(verifier: phone.harness.verifier)
        server = StubPurchaseService(database, customer: customer)
    }

    private func launch(_ phone: Phone? = nil) async throws -> KitApp {
        try await KitApp.launch(phone ?? self.phone, server: server, customer: customer)
    }

    private func debit(_ amount: Int64, _ key: String, in app: KitApp) async throws -> DebitOutcome {
        try await app.onDevice { try await app.purchases.debit(amount, of: "coins", idempotencyKey: key) }
    }

    @Test func `device and server show one ledger`() async throws {
        let app = try await launch()
        await app.buy(credits, quantity: 2)
        #expect(await app.coins() == 10)
        #expect(try await debit(3, "banana", in: app) == .confirmed)
        #expect(try await debit(3, "banana", in: app) == .confirmed)
        #expect(await app.coins() == 7)
        #expect(database.balance(of: customer) == 7)
        let second = try await launch(try await Phone(account: phone.account))
        #expect(await second.coins() == 7)
    }

    @Test(arguments: [true, false])
    func `idempotency keys in two Unicode forms are two debits, as for the server`(_ hasServer: Bool) async throws {
        let app = hasServer ? try await launch() : try await KitApp.launch(phone)
        await app.buy(credits)
        #expect(try await debit(1, "caf\u{E9}", in: app) == .confirmed)
        #expect(try await debit(1, "cafe\u{301}", in: app) == .confirmed)
        #expect(await app.coins() == 3)
    }

    @Test func `a purchase is submitted again automatically when the server is back, and credited once`() async throws {
        let app = try await launch()
        server.set(offline: true)
        guard case .purchased(_, .delayed) = await app.onDevice({ await app.purchases.buy(credits) }) else {
            Issue.record("The delivery was not delayed.")
            return
        }
        #expect(await app.coins() == 0)
        server.set(offline: false)
        server.fail(.lostReply)
        for _ in 1...2 { await app.clock.endSleeps() }
        try await eventually { await app.coins() == 5 }
        #expect(database.balance(of: customer) == 5)
        try await eventually { await app.state.problems.isEmpty }
    }

    @Test func `the server's list of products is kept for a start without the server`() async throws {
        let listed = [SampleProduct.credits10, credits].sorted()
        let app = try await KitApp.launch(phone, server: server, customer: customer) { $0.products = .server }
        #expect(await app.state.products.map(\.id) == listed)
        await app.close()
        server.set(offline: true)
        let offline = try await KitApp.launch(phone, server: server, customer: customer) { $0.products = .server }
        #expect(await offline.state.products.map(\.id) == listed)
        let other = try await KitApp.launch(try await Phone(account: phone.account), server: server, customer: customer) {
            $0.products = .server
        }
        #expect(await other.state.products.isEmpty)
        server.set(offline: false)
        await other.clock.endSleeps()
        try await eventually { await other.state.products.map(\.id) == listed }
    }

    @Test func `many unfinished purchases are submitted in few requests`() async throws {
        let app = try await launch()
        server.set(offline: true)
        for _ in 1...12 { _ = await app.onDevice { await app.purchases.buy(credits) } }
        await app.close()
        server.set(offline: false)
        let gate = Gate()
        server.hold(at: gate)
        let again = try await KitApp.launch(phone, server: server, customer: customer, waits: false)
        await gate.waitUntilReached()
        await again.device.waitUntilIdle()
        try await eventually { await again.purchases.parts.engine.waitingSubmissions == 11 }
        gate.open()
        try await eventually { await again.coins() == 60 }
        #expect(database.count("submit") == 2)
    }

    @Test func `a debit without a network is kept, and is sent once when the network is back`() async throws {
        let app = try await launch()
        await app.buy(credits)
        server.set(offline: true)
        #expect(try await debit(2, "hat", in: app) == .provisional)
        #expect(await app.coins() == 3)
        await #expect(throws: DebitError.insufficientBalance(available: 3)) { _ = try await debit(4, "ladder", in: app) }
        await app.close()
        let offline = try await launch()
        #expect(await offline.coins() == 3)
        await offline.close()
        server.set(offline: false)
        server.fail(.lostReply)
        let again = try await launch()
        await again.onDevice { await again.purchases.retry() }
        #expect(await again.coins() == 3)
        #expect(database.balance(of: customer) == 3)
        #expect(await again.vault.contents.openDebits.isEmpty)
    }

    @Test func `credits that two devices spend without a network are spent once`() async throws {
        let app = try await launch()
        await app.buy(credits)
        let second = try await launch(try await Phone(account: phone.account))
        #expect(await second.coins() == 5)
        server.set(offline: true)
        #expect(try await debit(4, "first", in: app) == .provisional)
        #expect(try await debit(4, "second", in: second) == .provisional)
        server.set(offline: false)
        await app.onDevice { await app.purchases.retry() }
        await second.onDevice { await second.purchases.retry() }
        #expect(database.balance(of: customer) == 1)
        #expect(await app.coins() == 1)
        #expect(await second.coins() == 1)
        try await eventually { second.events.all.contains(.debitRefused(key: "second", amount: 4, currency: "coins")) }
        // A refused debit can be made again once there are enough credits.
        await #expect(throws: DebitError.insufficientBalance(available: 1)) { _ = try await debit(4, "second", in: second) }
        await second.buy(credits)
        #expect(try await debit(4, "second", in: second) == .confirmed)
        #expect(database.balance(of: customer) == 2)
    }

    @Test func `a balance that could not be read appears when the server is back`() async throws {
        let app = try await launch()
        server.fail(.none, .lostRequest)
        #expect(await app.onDevice { await app.purchases.buy(credits) }.delivered != nil)
        #expect(await app.coins() == 0)
        await app.clock.endSleeps()
        try await eventually { await app.coins() == 5 }
    }

    @Test func `a debit whose caller the server refuses is kept, and delays neither balances nor other debits`() async throws {
        let app = try await launch()
        await app.buy(credits)
        server.fail(.refused(status: 403, code: "key.scope"))
        #expect(try await debit(2, "hat", in: app) == .provisional)
        #expect(await app.state.problems.map(\.kind) == [.serverRefused])
        server.fail(.refused(status: 403, code: "key.scope"))
        #expect(try await debit(1, "rope", in: app) == .confirmed)
        #expect(database.balance(of: customer) == 4)
        await app.clock.endSleeps()
        try await eventually { await app.vault.contents.openDebits.isEmpty }
        #expect(database.balance(of: customer) == 2)
        try await eventually { await app.state.problems.isEmpty }
    }

    @Test func `a purchase during an expired sign-in is delivered when there is a new customer token`() async throws {
        let app = try await launch()
        server.fail(.refused(status: 401, code: "customer.token"))
        guard case .purchased(_, .delayed) = await app.onDevice({ await app.purchases.buy(credits) }) else {
            Issue.record("The delivery was not delayed.")
            return
        }
        #expect(await app.state.problems.map(\.kind).contains(.signInExpired))
        await app.clock.endSleeps()
        try await eventually { await app.coins() == 5 }
        try await eventually { await app.state.problems.isEmpty }
    }

    @Test(arguments: [ServerConnection.CredentialsUnavailable() as any Error, URLError(.notConnectedToInternet)])
    func `credentials that can't be obtained now are no expired sign-in`(_ error: any Error) async {
        let store = CredentialStore { _ in throw error }
        await #expect(throws: WireClientError.unreachable) { try await store.call { _ throws(WireClientError) in } }
    }

    @Test func `a refund changes the balance while the app runs, before the server has heard of it`() async throws {
        let app = try await launch()
        let purchase = try #require(await app.buy(credits).delivered)
        #expect(await app.coins() == 5)
        try await phone.harness.refund(purchase.id)
        await app.wake()
        try await eventually { await app.coins() == 0 }
        #expect(database.balance(of: customer) == 0)
    }

    @Test func `customers who share a device have debits, balances and purchases of their own`() async throws {
        let app = try await launch()
        await app.buy(credits)
        await app.buy(SampleProduct.sepia)
        server.set(offline: true)
        #expect(try await debit(2, "hat", in: app) == .provisional)
        await app.close()
        server.set(offline: false)
        let john = CustomerID(UUID())
        let johns = try await KitApp.launch(phone, server: StubPurchaseService(database, customer: john), customer: john)
        #expect(await johns.coins() == 0)
        #expect(await johns.state.status(of: "sepia") == .none)
        #expect(database.debited(by: john) == 0)
        await johns.close()
        let again = try await launch()
        #expect(await again.coins() == 3)
        #expect(await again.state.status(of: "sepia").isOwned)
        #expect(database.debited(by: customer) == 2)
    }

    @Test func `a purchase that has moved to another customer is no longer owned`() async throws {
        let app = try await launch()
        let purchase = try #require(await app.buy(SampleProduct.sepia).delivered)
        #expect(await app.state.status(of: "sepia").isOwned)
        database.move(purchase.transaction.payload.originalTransactionId, to: CustomerID(UUID()))
        await app.onDevice { await app.purchases.retry() }
        #expect(await app.state.status(of: "sepia") == .none)
    }

    @Test func `a refund of spent credits leaves a debt`() async throws {
        let app = try await launch()
        let purchase = try #require(await app.buy(credits).delivered)
        #expect(try await debit(4, "hat", in: app) == .confirmed)
        try await phone.harness.refund(purchase.id)
        await app.wake()
        try await eventually { await app.vault.contents.facts(of: purchase.id)?.isRevoked == true }
        try await database.receive(try #require(await app.vault.contents.signedTransaction(purchase.id)))
        await app.onDevice { await app.purchases.retry() }
        #expect(await app.coins() == -4)
        await #expect(throws: DebitError.insufficientBalance(available: -4)) { _ = try await debit(1, "rope", in: app) }
    }

    @Test func `an expired sign-in is renewed once, and otherwise reported`() async throws {
        let requests = Mutex<[ServerConnection.CredentialsRequest]>([])
        let answers = Mutex<[String?]>(["old", "new"])
        let store = CredentialStore { request in
            requests.withLock { $0.append(request) }
            guard let token = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw CancellationError() }
            return ServerCredentials(publishableKey: "pk", customerToken: token, verificationKeys: nil)
        }
        let refusal = WireClientError.refused(status: 401, WireError(code: "customer.token", message: "Refused."))
        for _ in 1...2 {
            try await store.call { credentials throws(WireClientError) in
                guard credentials.customerToken == "new" else { throw refusal }
            }
        }
        #expect(requests.withLock { $0 } == [.first, .refused])
        await #expect(throws: WireClientError.self) { try await store.call { _ throws(WireClientError) in throw refusal } }
        #expect(requests.withLock { $0.count } == 3)

        server.fail(.refused(status: 401, code: "customer.token"), .refused(status: 401, code: "customer.token"))
        let app = try await launch()
        #expect(await app.state.problems.contains { $0.kind == .signInExpired })
        await app.onDevice { await app.purchases.retry() }
        #expect(await app.state.problems.isEmpty)
    }

    // MARK: Proven entitlements

    @Test func `a forged transaction in the server's answer grants nothing`() async throws {
        let forged = try TestAuthority.other.signedData.sign(
            TransactionPayload.sample(id: "2000000000777777", product: SampleProduct.sepia, type: .nonConsumable))
        let service = EvidenceService(base: server, evidence: [forged])
        let app = try await KitApp.launch(phone, server: service, customer: customer)
        #expect(await app.state.status(of: "sepia") == .none)
        #expect(await app.vault.purchases.isEmpty)
    }

    @Test func `a purchase that only the server knows is owned, by the App Store's signature`() async throws {
        let first = try await launch()
        await first.buy(SampleProduct.sepia)
        let otherAccount = try await Phone()
        let app = try await launch(otherAccount)
        #expect(await app.state.status(of: "sepia") == .owned(until: nil))
        let restorable = await app.onDevice { await app.purchases.restorable() }
        #expect(restorable.map(\.sources) == [[.server]])
    }

    @Test func `a signed refund counts on the device before the server knows it`() async throws {
        let app = try await launch()
        let purchase = try #require(await app.buy(SampleProduct.sepia).delivered)
        #expect(await app.state.status(of: "sepia").isOwned)
        server.set(offline: true)
        try await phone.harness.refund(purchase.id)
        await app.wake()
        try await eventually { await app.state.status(of: "sepia") == .none }
        // The server still answers with the transaction from before the refund.
        server.set(offline: false)
        await app.onDevice { await app.purchases.retry() }
        #expect(await app.state.status(of: "sepia") == .none)
    }

    @Test func `a grant of the server is usable offline until its lease ends, on this device only`() async throws {
        let wallClock = ManualClock(SystemWallClock().now)
        let expires = wallClock.now.adding(seconds: 3_600)
        database.grant("beta", until: expires)
        let leases = try database.leaseVerifier()
        let app = try await KitApp.launch(phone, server: server, customer: customer, wallClock: wallClock) { $0.leaseVerifier = leases }
        #expect(await app.state.status(of: "beta") == .owned(until: expires.wholeSeconds.date))
        #expect(await app.state.entitlements["beta"]?.productID == nil)
        await app.close()
        server.set(offline: true)
        let offline = try await KitApp.launch(phone, server: server, customer: customer, wallClock: wallClock) { $0.leaseVerifier = leases }
        #expect(await offline.state.status(of: "beta").isOwned)
        let lease = try #require(await offline.vault.contents.lease)
        wallClock.set(expires.adding(seconds: 1))
        await offline.waitUntilIdle()
        #expect(await offline.state.status(of: "beta") == .none)
        // A copy on another device is refused.
        let other = try await KitApp.launch(try await Phone(account: phone.account), server: server, customer: customer) {
            $0.leaseVerifier = leases
        }
        try await other.vault.change { _ throws(VaultError) in [.lease(lease)] }
        await other.waitUntilIdle()
        #expect(await other.state.status(of: "beta").isOwned == false)
    }

    @Test func `a signed refund ends an entitlement before the lease does`() async throws {
        let expires = SystemWallClock().now.adding(seconds: 3_600)
        database.grant("sepia", until: expires)
        let leases = try database.leaseVerifier()
        let app = try await KitApp.launch(phone, server: server, customer: customer) { $0.leaseVerifier = leases }
        let purchase = try #require(await app.buy(SampleProduct.sepia).delivered)
        #expect(await app.state.status(of: "sepia") == .owned(until: nil))
        server.set(offline: true)
        try await phone.harness.refund(purchase.id)
        await app.wake()
        try await eventually { await app.state.status(of: "sepia") == .none }
    }

    @Test(arguments: [(3_600, false), (86_401, true)])
    func `a lease undoes a signed refund after a day only, in which the server can miss it`(_ seconds: Int64, _ isOwned: Bool) async throws
    {
        let authority = TestAuthority.shared
        var payload = TransactionPayload.sample(product: SampleProduct.sepia, type: .nonConsumable)
        payload.revocationDate = payload.signedDate
        let refund = try await authority.verifier().verify(authority.signedData.sign(payload))
        let contents = try VaultContents([.proof(StoredProof(VerifiedProof(transaction: refund)))], refundPolicy: .debt)
        let issued = payload.signedDate.adding(seconds: seconds)
        let lease = LeasePayload(
            issuer: "tillroll-server", customer: customer, bundleID: .test, issuedAt: issued, expires: issued.adding(days: 3), id: "1",
            deviceKey: try P256SigningKey(newWithID: "device").verificationKey.thumbprint,
            entitlements: [LeasedEntitlement("sepia")])
        let book = EntitlementBook(fulfillments: KitApp.fulfillments, durations: [:], customer: nil)
        #expect(book.entitlements(in: contents, lease: lease, at: issued.adding(seconds: 1)).states["sepia"]?.isActive == isOwned)
    }

    @Test func `a purchase of another customer is finished, and not delivered here`() async throws {
        let other = CustomerID(UUID())
        let first = try await KitApp.launch(phone, server: StubPurchaseService(database, customer: other), customer: other)
        server.set(offline: true)
        _ = await first.onDevice { await first.purchases.buy(credits) }
        await first.close()
        server.set(offline: false)
        let app = try await launch()
        try await eventually { await app.state.problems.map(\.kind) == [.otherCustomer(credits)] }
        #expect(app.device.paymentQueue.transactions.isEmpty)
        #expect(await app.coins() == 0)
        #expect(database.balance(of: other) == 5)
    }
}

/// A server that answers with evidence of its own choice.
private struct EvidenceService: PurchaseService {
    let base: StubPurchaseService
    let evidence: [SignedTransaction]

    func submit(_ transactions: [SignedTransaction]) async throws(WireClientError) -> SubmitPurchasesReply {
        try await base.submit(transactions)
    }

    func entitlements() async throws(WireClientError) -> EntitlementsReply {
        var reply = try await base.entitlements()
        reply.evidence = [
            EntitlementsReply.Evidence(originalTransactionID: "2000000000777777", signedTransactions: evidence, signedRenewalInfo: [])
        ]
        return reply
    }

    func balances() async throws(WireClientError) -> BalancesReply { try await base.balances() }

    func debit(_ request: DebitRequest) async throws(WireClientError) -> LedgerReply { try await base.debit(request) }

    func products() async throws(WireClientError) -> ServerProductsReply { try await base.products() }

    func lease(_ request: LeaseRequest) async throws(WireClientError) -> LeaseReply { try await base.lease(request) }
}
