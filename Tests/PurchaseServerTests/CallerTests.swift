import Foundation
import HTTPTypes
import Hummingbird
import PurchaseIssuing
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

/// Tests of API keys, customer tokens and request rates.
@Suite struct CallerTests {
    /// The routes that need no API key.
    private static let open = [
        "/health", "/readyz", "/v1/notifications", "/v1/apps/{bundle}/notifications", "/v1/content/{product}",
        "/v1/content/{product}/manifest",
    ]

    @Test func `every route except health, notifications and downloads requires an API key, before its body is read`() async throws {
        try await Shop.open { shop async throws in
            let routes = shop.server.router().routes.filter { $0.method != .head && !Self.open.contains($0.path.description) }
            #expect(routes.count >= 18)
            for route in routes {
                let path = route.path.description.replacing(#/\{[^}]*\}/#, with: "x")
                for key in [nil, "", "Bearer", "Bearer sk_none", "Basic sk_none", "Bearer \(Shop.customer)"] {
                    var headers: HTTPFields = [:]
                    headers[.authorization] = key
                    let body = route.method == .post ? Data(repeating: 0, count: 100) : nil
                    let answer = try await shop.send(route.method, path, .headers(headers), body)
                    #expect(answer.status == .unauthorized, "\(route.method) \(path) \(key ?? "")")
                }
            }
        }
    }

    @Test func `a customer's identifier is no credential`() async throws {
        try await Shop.open { shop async throws in
            var headers: HTTPFields = [.authorization: "Bearer \(shop.keys.publishable)"]
            headers[.customer] = Shop.customer.rawValue
            for endpoint in [ServerEndpoints.balances.template, ServerEndpoints.entitlements.template, ServerEndpoints.customer.template] {
                #expect(try await shop.get(endpoint, headers).code == "customer-token.missing")
                #expect(try await shop.send(.get, endpoint, .app(nil)).code == "customer-token.missing")
                #expect(try await shop.send(.get, endpoint, .app("ct_none")).code == "customer-token.refused")
                #expect(try await shop.send(.get, endpoint, .app(Shop.customer.rawValue)).code == "customer-token.refused")
                #expect(try await shop.send(.get, endpoint, shop.app).status == .ok)
            }
        }
    }

    @Test func `each kind of key has its scopes`() async throws {
        try await Shop.open { shop async throws in
            let debit = DebitRequest(idempotencyKey: "a", amount: 1)
            #expect(try await shop.call(ServerEndpoints.creditGrant, debit, by: shop.app).code == "key.scope")
            #expect(try await shop.call(ServerEndpoints.debit, debit, by: shop.app).code == "key.scope")
            #expect(try await shop.call(ServerEndpoints.customerToken, Empty(), by: shop.app).code == "key.scope")
            #expect(try await shop.call(ServerEndpoints.deleteCustomer, Empty(), by: shop.app).code == "key.scope")
            #expect(try await shop.call(ServerEndpoints.creditGrant, debit).status == .ok)
            #expect(try await shop.call(ServerEndpoints.debit, debit).status == .ok)
        }
    }

    @Test func `a publishable key debits only with the scope`() async throws {
        try await Shop.open { shop async throws in
            let service = try #require(shop.server.apiKeys(of: .test))
            let key = try await service.create(.publishable, scopes: [.readCustomers, .debit]).text
            var headers: HTTPFields = [.authorization: "bearer  \(key)"]
            headers[.customerToken] = shop.customerToken
            _ = try await shop.call(ServerEndpoints.creditGrant, DebitRequest(idempotencyKey: "a", amount: 3))
            #expect(try await shop.debit(2, "b", by: .headers(headers)).value(LedgerReply.self).balance == 1)
            #expect(
                try await shop.call(ServerEndpoints.purchases, SubmitPurchasesRequest(proofs: []), by: .headers(headers)).code
                    == "key.scope")
            await #expect(throws: APIKeyError.scope(.grant, .publishable)) { try await service.create(.publishable, scopes: [.grant]) }
        }
    }

    @Test func `a revoked key is refused after at most five seconds`() async throws {
        try await Shop.open { shop async throws in
            let service = try #require(shop.server.apiKeys(of: .test))
            #expect(try await shop.send(.get, "/v1/products", .app(nil)).status == .ok)
            let key = try #require(try await service.list().first { $0.kind == .publishable })
            let revoked = try await service.revoke(id: key.id)
            #expect(try await service.revoke(id: key.id) == revoked)
            shop.clock.advance(seconds: 5)
            #expect(try await shop.send(.get, "/v1/products", .app(nil)).code == "key.refused")
            await #expect(throws: APIKeyError.unknown("key_none")) { try await service.revoke(id: "key_none") }
        }
    }

    @Test func `the database and the log contain no key, no token and no customer of a request`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path()
            let log = RecordingLog()
            try await Shop.open(database: .file(path), logger: log.logger) { shop async throws in
                try await shop.record(.creditSale)
                _ = try await shop.downloadToken()
                _ = try await shop.debit(100, "a")
                _ = try await shop.notify(.about(.creditSale, type: "ONE_TIME_CHARGE"))
                var stored = Data()
                for suffix in ["", "-wal"] { stored += (try? Data(contentsOf: URL(filePath: path + suffix))) ?? Data() }
                for secret in [shop.keys.publishable, shop.keys.secret, shop.keys.admin, shop.customerToken] {
                    #expect(!stored.contains(secret.utf8))
                    #expect(!log.all.contains { $0.contains(secret) })
                }
                #expect(!log.all.contains { $0.contains(Shop.customer.rawValue) })
            }
        }
    }

    @Test func `an installation that sends too many requests waits, and the others do not`() async throws {
        let rates = RequestRates(installation: RequestRate(perSecond: 1, burst: 3), backend: RequestRate(perSecond: 0, burst: 0))
        try await Shop.open(rates: rates) { shop async throws in
            let other: CustomerCredentials = try await shop.call(
                ServerEndpoints.createCustomer, CreateCustomerRequest(), by: .app(nil)
            ).value()
            for _ in 1...3 { #expect(try await shop.send(.get, "/v1/customer", shop.app).status == .ok) }
            let refused = try await shop.send(.get, "/v1/customer", shop.app)
            #expect(refused.status == .tooManyRequests)
            #expect(refused.code == "requests.too-many")
            #expect(refused.headers[.retryAfter] == "1")
            #expect(try await shop.send(.get, "/v1/customer", .app(other.token)).status == .ok)
            for _ in 1...20 { #expect(try await shop.send(.get, "/v1/customer", shop.backend).status == .ok) }
            shop.clock.advance(seconds: 1)
            #expect(try await shop.send(.get, "/v1/customer", shop.app).status == .ok)
            #expect(try await shop.send(.get, "/v1/customer", shop.app).status == .tooManyRequests)
        }
    }

    @Test func `a rate limiter forgets the oldest callers when it is full, and never gains from a clock that is set back`() {
        let limiter = RateLimiter<Int>(RequestRate(perSecond: 1, burst: 2), capacity: 4)
        let start = Timestamp.testStart
        for caller in 1...4 { #expect(limiter.count(caller, at: start.adding(seconds: Int64(caller))) == nil) }
        #expect(limiter.count(4, at: start.adding(seconds: 4)) == nil)
        #expect(limiter.count(4, at: start.adding(seconds: 4)) == 1)
        #expect(limiter.count(4, at: start) == 1)
        #expect(limiter.count(5, at: start.adding(seconds: 4)) == nil)
        #expect(limiter.count(4, at: start.adding(seconds: 4)) == 1)
    }

    @Test func `apps of one server are isolated`() async throws {
        try await TemporaryFolder.with { folder in
            var configuration = try Shop.configuration(contentFolder: folder.url.path())
            var second = configuration.apps[0]
            second.bundleID = "com.example.second"
            configuration.apps.append(second)
            let server = try await PurchaseServer(configuration: configuration, clock: ManualClock(), logger: .silent)
            let (one, two) = (try #require(server.apps[.test]), try #require(server.apps["com.example.second"]))
            let signed: SignedTransaction = try TestAuthority.shared.signedData.sign(TransactionPayload.creditSale)
            let request = SubmitPurchasesRequest(proofs: [PurchaseProofInput(signedTransaction: signed)])
            #expect(try await two.purchases.submit(request, for: nil, isBackend: true).results.first?.status == .refused)
            #expect(try await one.purchases.submit(request, for: nil, isBackend: true).results.first?.status == .verified)
            #expect(try await one.ledger.balances(of: .id(Shop.customer)).amount() == 5)
            #expect(try await two.ledger.balances(of: .id(Shop.customer)).amount() == 0)
            let token = try await one.customers.issueToken(for: .alias("jane")).token
            let digest = try #require(BearerSecret(token)).digest
            #expect(try await one.customers.describe(.token(digest)).aliases == ["jane"])
            await #expect(throws: CustomerRefusal.token) { try await two.customers.describe(.token(digest)) }
            let key = try await server.apiKeys(of: "com.example.second")?.create(.secret)
            let record = try #require(key).record
            #expect(try await server.storage.read(.test) { try $0.apiKey(digest: record.digest) } == nil)
        }
    }
}
