import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreTestSupport
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of API keys, customer tokens and request rates.
@Suite struct CallerTests {
    /// The routes that need no API key.
    private static let open = [
        "/health", "/readyz", "/v1/notifications", "/v1/apps/{bundle}/notifications", "/v1/content/{product}",
        "/v1/content/{product}/manifest", "/verifyReceipt", "/sandbox/verifyReceipt",
    ]

    @Test func `every route except health, notifications, downloads and verifyReceipt requires an API key, before its body is read`()
        async throws
    {
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

    @Test func `a key that was refused because it is revoked is not accepted during an outage`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path()
            try await Shop.open(database: .file(path)) { shop async throws in
                let service = try #require(shop.server.apiKeys(of: .test))
                #expect(try await shop.send(.get, "/v1/products", .app(nil)).status == .ok)
                let key = try #require(try await service.list().first { $0.kind == .publishable })
                _ = try await service.revoke(id: key.id)
                shop.clock.advance(seconds: 5)
                #expect(try await shop.send(.get, "/v1/products", .app(nil)).code == "key.refused")
                let queue = try DatabaseQueue.waiting(path: path)
                try await queue.write { try $0.execute(sql: "DROP TABLE api_key") }
                #expect(try await shop.send(.get, "/v1/products", .app(nil)).code == "storage.unavailable")
            }
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

    @Test func `no route logs a key, a token, a customer or an alias, whether the request succeeds, is refused or fails`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("server.sqlite").path()
            let log = RecordingLog()
            try await Shop.open(database: .file(path), logger: log.logger) { shop async throws in
                try await shop.record(.bookSale)
                let download: DownloadToken = try await shop.downloadToken().value()
                let alias = "jane-account-4711"
                _ = try await shop.call(ServerEndpoints.addAlias, AddAliasRequest(alias: alias))
                var senders: [Shop.Sender] = [
                    shop.app, shop.backend, .backend(alias), .app("ct_invented-4711"), .backend("%00\(alias)"),
                    .headers([.authorization: "Bearer \(download.token)"]), .headers([.authorization: "Bearer sk_invented-4711"]),
                    .headers([.authorization: "Bearer \(shop.keys.admin)", .customer: Shop.customer.rawValue]),
                ]
                senders.append(.headers([.authorization: "Bearer \(shop.keys.publishable)", .customer: Shop.customer.rawValue]))
                let secrets = [
                    shop.keys.publishable, shop.keys.secret, shop.keys.admin, shop.customerToken, download.token, Shop.customer.rawValue,
                    alias, "invented-4711",
                ]
                let routes = shop.server.router().routes.filter { $0.method != .head }
                #expect(routes.count >= 28)
                // A body with what no log may contain, in members that some endpoints know, and in others.
                let body = Data(
                    """
                    {"customer":"\(Shop.customer)","alias":"\(alias)","idempotencyKey":"\(alias)","amount":1,"reason":"\(alias)",
                    "proofs":[{"signedTransaction":"\(shop.customerToken)"},{"transactionID":"\(alias)"}],"deviceKey":"\(alias)",
                    "signedPayload":"\(shop.customerToken)","signed":"\(shop.customerToken)","consumption":true,
                    "productID":"\(ProductID.book)","offerID":"\(alias)","products":[{"id":"\(alias)"}]}
                    """.utf8)
                var statuses: Set<Int> = []
                func sendAll() async throws {
                    for route in routes where !(route.method == .delete && route.path.description == "/v1/customer") {
                        let path = route.path.description
                            .replacing("{product}", with: ProductID.book.rawValue).replacing("{bundle}", with: BundleID.test.rawValue)
                            .replacing(#/\{[^}]*\}/#, with: "beta")
                        for sender in senders {
                            for body in route.method == .post ? [body, Data("{\(alias)".utf8)] : [nil] {
                                statuses.insert(try await shop.send(route.method, path, sender, body).status.code)
                            }
                        }
                        let query = "?language=\(alias)&at=\(alias)&cursor=\(Shop.customer)"
                        for sender in senders { _ = try await shop.send(route.method, path + query, sender) }
                    }
                }
                try await sendAll()
                #expect(statuses.isSuperset(of: [200, 400, 401, 403, 404]))
                // Every statement of the database fails, with its arguments in the error.
                let database = try DatabaseQueue.waiting(path: path)
                for table in ["customer", "customer_alias", "customer_token", "ledger_posting", "purchase", "entitlement_grant"] {
                    try await database.write { try $0.execute(sql: "DROP TABLE IF EXISTS \(table)") }
                }
                shop.clock.advance(seconds: 60)
                try await sendAll()
                #expect(statuses.contains { $0 >= 500 })
                for line in log.all {
                    for secret in secrets { #expect(!line.contains(secret), "\(line)") }
                }
                #expect(!log.all.isEmpty)
            }
        }
    }

    @Test func `an installation that sends too many requests waits, and the others do not`() async throws {
        let rates = RequestRates(installation: RequestRate(perSecond: 1, burst: 3), backend: RequestRate(perSecond: 0, burst: 0))
        try await Shop.open(rates: rates) { shop async throws in
            let other: CustomerCredentials = try await shop.call(
                ServerEndpoints.createCustomer, CreateCustomerRequest(), by: .app(nil)
            ).value()
            for rest in 0...2 {
                let answer = try await shop.send(.get, "/v1/customer", shop.app)
                #expect(answer.status == .ok && answer.headers[.rateLimitPolicy] == #""installation";q=3;w=3"#)
                #expect(answer.headers[.rateLimit] == #""installation";r=\#(2 - rest);t=\#(rest + 1)"#)
            }
            let refused = try await shop.send(.get, "/v1/customer", shop.app)
            #expect(refused.status == .tooManyRequests && refused.headers[.rateLimit] == #""installation";r=0;t=3"#)
            #expect(refused.code == "requests.too-many")
            #expect(refused.headers[.retryAfter] == "1")
            #expect(try await shop.send(.get, "/v1/customer", .app(other.token)).status == .ok)
            for _ in 1...20 { #expect(try await shop.send(.get, "/v1/customer", shop.backend).status == .ok) }
            #expect(try await shop.send(.get, "/v1/customer", shop.backend).headers[.rateLimit] == nil)
            shop.clock.advance(seconds: 1)
            #expect(try await shop.send(.get, "/v1/customer", shop.app).status == .ok)
            #expect(try await shop.send(.get, "/v1/customer", shop.app).status == .tooManyRequests)
        }
    }

    @Test func `invented customer tokens are counted by the address of the connection, and valid ones by the customer's installation`()
        async throws
    {
        let rates = RequestRates(installation: RequestRate(perSecond: 1, burst: 3), backend: RequestRate(perSecond: 0, burst: 0))
        try await Shop.open(rates: rates) { shop async throws in
            for number in 1...3 {
                #expect(try await shop.send(.get, "/v1/customer", .app("ct_invented\(number)")).code == "customer-token.refused")
            }
            #expect(try await shop.send(.get, "/v1/customer", .app("ct_invented4")).code == "requests.too-many")
            #expect(try await shop.send(.get, "/v1/customer", .app(nil)).code == "requests.too-many")
            #expect(try await shop.send(.get, "/v1/customer", shop.app).status == .ok)
            shop.clock.advance(seconds: 3)
            // A malformed token, and an identifier that a header states, count in the same way.
            var headers: HTTPFields = [.authorization: "Bearer \(shop.keys.publishable)"]
            for number in 1...3 {
                headers[.customer] = CustomerID(UUID()).rawValue
                headers[.customerToken] = number == 2 ? String(repeating: "x", count: 200) : nil
                #expect(try await shop.get("/v1/customer", headers).status != .tooManyRequests)
            }
            #expect(try await shop.get("/v1/customer", headers).code == "requests.too-many")
        }
    }

    @Test(arguments: [("", 3), ("10.0.0.0/8", 3), ("127.0.0.1, 10.0.0.0/8", 30), ("127.0.0.0/8", 30)])
    func `behind a trusted proxy, each client is counted by the address that the proxy states`(_ list: String, _ allowed: Int) async throws
    {
        let rates = RequestRates(installation: RequestRate(perSecond: 1, burst: 3), backend: RequestRate(perSecond: 0, burst: 0))
        let proxies = list.isEmpty ? TrustedProxies() : try TrustedProxies(list)
        try await Shop.open(rates: rates, proxies: proxies) { shop async throws in
            var count = 0
            for number in 0..<30 {
                // The client invents the first address.
                let headers: HTTPFields = [
                    .authorization: "Bearer \(shop.keys.publishable)", .forwardedFor: "198.51.100.\(number), 203.0.113.\(number / 3)",
                ]
                if try await shop.get("/v1/products", headers).status == .ok { count += 1 }
            }
            #expect(count == allowed)
            let headers: HTTPFields = [.authorization: "Bearer \(shop.keys.publishable)", .forwardedFor: "192.0.2.1, 203.0.113.1"]
            #expect(try await shop.get("/v1/products", headers).code == "requests.too-many")
        }
    }

    @Test(arguments: [
        ("192.0.2.7", [], "192.0.2.7"), ("192.0.2.7", ["203.0.113.9"], "192.0.2.7"), ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"), ("10.0.0.1", ["1.1.1.1, 203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["203.0.113.9, 10.0.0.2"], "203.0.113.9"), ("10.0.0.1", ["203.0.113.9", "10.0.0.2"], "203.0.113.9"),
        ("10.0.0.1", ["10.0.0.3,10.0.0.2"], "10.0.0.3"), ("::1", ["203.0.113.9:4711"], "203.0.113.9"),
        ("::ffff:10.0.0.1", ["2001:db8:1:2:3::4"], "2001:db8:1:2::"), ("10.0.0.1", ["[2001:db8:1:2::9]:443"], "2001:db8:1:2::"),
        // What is no address ends the search at the last proxy.
        ("10.0.0.1", ["203.0.113.9, unknown"], "10.0.0.1"), ("10.0.0.1", ["203.0.113.9, unknown, 10.0.0.2"], "10.0.0.2"),
        ("10.0.0.1", [""], "10.0.0.1"), ("10.0.0.1", [",,,"], "10.0.0.1"), ("10.0.0.1", ["[", "]"], "10.0.0.1"),
        ("10.0.0.1", ["[]:"], "10.0.0.1"), ("10.0.0.1", ["1.2.3.256"], "10.0.0.1"), ("10.0.0.1", ["01.2.3.4"], "10.0.0.1"),
        ("10.0.0.1", ["1.2.3"], "10.0.0.1"), ("10.0.0.1", ["::1::"], "10.0.0.1"), ("10.0.0.1", [":::"], "10.0.0.1"),
        ("10.0.0.1", ["1:2:3:4:5:6:7:8:9"], "10.0.0.1"), ("10.0.0.1", ["1.2.3.4::"], "10.0.0.1"),
        ("10.0.0.1", ["fe80::1%eth0"], "10.0.0.1"),
        ("10.0.0.1", ["\u{FF11}.2.3.4"], "10.0.0.1"), ("10.0.0.1", [String(repeating: "1.1.1.1,", count: 600) + "203.0.113.9"], "10.0.0.1"),
        ("10.0.0.1", [String(repeating: "10.0.0.9,", count: 40) + "10.0.0.8"], "10.0.0.9"),
        ("10.0.0.1", ["203.0.113.9,10.0.0.1" + String(repeating: ",10.0.0.9", count: 40)], "10.0.0.9"),
    ])
    func `the client is the last address of the header that is no trusted proxy`(
        _ peer: String, _ values: [String], _ expected: String
    ) throws {
        let proxies = try TrustedProxies("10.0.0.0/8,::1/128")
        var headers = HTTPFields()
        for value in values { headers.append(HTTPField(name: .forwardedFor, value: value)) }
        #expect(proxies.clientName(peer: peer, headers) == IPAddress(expected)?.countedName)
    }

    @Test func `a connection without an IP address is counted by its name`() throws {
        let headers: HTTPFields = [.forwardedFor: "203.0.113.9"]
        for peer in ["", "socket"] { #expect(try TrustedProxies("0.0.0.0/0,::/0").clientName(peer: peer, headers) == peer) }
    }

    @Test(arguments: [
        ("10.1.2.3/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.168.128.0/17", "192.168.200.1", true),
        ("192.168.128.0/17", "192.168.127.1", false), ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "2001:db8::1", false),
        ("::/0", "8.8.8.8", true), ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
        ("::1", "0:0:0:0:0:0:0:1", true), ("127.0.0.1/32", "127.0.0.2", false), ("::ffff:127.0.0.1", "127.0.0.1", true),
    ])
    func `a range of addresses contains those with the same prefix`(_ range: String, _ address: String, _ isInside: Bool) throws {
        #expect(try #require(IPNetwork(range)).contains(try #require(IPAddress(address))) == isInside)
    }

    @Test func `a rate limiter forgets the oldest callers when it is full, and never gains from a clock that is set back`() {
        let limiter = TokenBucketLimiter<Int>(RequestRate(perSecond: 1, burst: 2), capacity: 4)
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
