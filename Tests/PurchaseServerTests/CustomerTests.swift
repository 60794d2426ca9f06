import Foundation
import HTTPTypes
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire

@testable import PurchaseServer

/// Tests of anonymous customers, aliases, merges and deletion.
@Suite struct CustomerTests {
    private static func anonymous(_ shop: Shop) async throws -> CustomerCredentials {
        try await shop.call(ServerEndpoints.createCustomer, CreateCustomerRequest(), by: .app(nil)).value()
    }

    private static func balance(_ token: String, _ shop: Shop) async throws -> Int64 {
        try await shop.call(ServerEndpoints.balances, Empty(), by: .app(token)).value(BalancesReply.self).amount()
    }

    @Test func `an app never chooses the UUID of a customer, so that it can't take the UUID that a backend or a purchase uses later`()
        async throws
    {
        try await Shop.open { shop async throws in
            let account = CustomerID(UUID())
            let request = CreateCustomerRequest(customer: account)
            let refused = try await shop.call(ServerEndpoints.createCustomer, request, by: .app(nil))
            #expect(refused.status == .forbidden && refused.code == "key.scope")
            let refusedWithToken = try await shop.call(ServerEndpoints.createCustomer, request, by: shop.app)
            #expect(refusedWithToken.code == "key.scope")
            // The UUID is still free for the backend, and the customer's purchase belongs to nobody else.
            let credentials: CustomerCredentials = try await shop.call(ServerEndpoints.createCustomer, request, by: .backend(nil)).value()
            #expect(credentials.customer == account)
            try await shop.record(.creditSale.with { $0.appAccountToken = account })
            #expect(try await Self.balance(credentials.token, shop) == 5)
            #expect(try await Self.anonymous(shop).customer != account)
        }
    }

    @Test func `a backend's first request with a UUID receives a token, and a later one is refused`() async throws {
        try await Shop.open { shop async throws in
            let id = CustomerID(UUID())
            let credentials: CustomerCredentials = try await shop.call(
                ServerEndpoints.createCustomer, CreateCustomerRequest(customer: id), by: .backend(nil)
            ).value()
            #expect(credentials.customer == id)
            let again = try await shop.call(ServerEndpoints.createCustomer, CreateCustomerRequest(customer: id), by: .backend(nil))
            #expect(again.status == .conflict && again.code == "customer.exists")
            // A UUID that already has purchases belongs to someone, too.
            let buyer = CustomerID(UUID())
            try await shop.record(.creditSale.with { $0.appAccountToken = buyer })
            let stolen = try await shop.call(ServerEndpoints.createCustomer, CreateCustomerRequest(customer: buyer), by: .backend(nil))
            #expect(stolen.code == "customer.exists")
            // So does one to which a backend has granted something.
            let (credited, entitled) = (CustomerID(UUID()), CustomerID(UUID()))
            let credits = DebitRequest(idempotencyKey: "a", amount: 1)
            _ = try await shop.call(ServerEndpoints.creditGrant, credits, by: .backend(credited.rawValue))
            let path = ["entitlement": "beta"]
            _ = try await shop.call(
                ServerEndpoints.grantEntitlement, GrantEntitlementRequest(), path, by: .backend(entitled.rawValue))
            for id in [credited, entitled] {
                let refused = try await shop.call(ServerEndpoints.createCustomer, CreateCustomerRequest(customer: id), by: .backend(nil))
                #expect(refused.code == "customer.exists")
            }
            let malformed = try await shop.call(ServerEndpoints.createCustomer, CreateCustomerRequest(customer: "jane"), by: .backend(nil))
            #expect(malformed.code == "customer.malformed")
        }
    }

    @Test func `a backend names customers by its own identifiers`() async throws {
        try await Shop.open { shop async throws in
            let issued: CustomerCredentials = try await shop.call(
                ServerEndpoints.customerToken, Empty(), by: .backend("user%2042")
            ).value()
            let described: CustomerReply = try await shop.call(ServerEndpoints.customer, Empty(), by: .app(issued.token)).value()
            #expect(described == CustomerReply(customer: issued.customer, aliases: ["user 42"], mergedCustomer: nil))
            try await shop.record(.creditSale.with { $0.appAccountToken = issued.customer })
            let balances: BalancesReply = try await shop.call(ServerEndpoints.balances, Empty(), by: .backend("user%2042")).value()
            #expect(balances.amount() == 5)
            #expect(try await shop.call(ServerEndpoints.customer, Empty(), by: .backend("nobody")).code == "customer.unknown")
            // Who has no purchases has no entitlements; that is no error.
            #expect(try await !shop.entitlement(to: "premium", by: .backend("nobody")).isActive)
        }
    }

    @Test(arguments: ["", "%00", "%ZZ", String(repeating: "a", count: 201)])
    func `an invalid customer is refused`(_ name: String) async throws {
        try await Shop.open { shop async throws in
            #expect(try await shop.call(ServerEndpoints.balances, Empty(), by: .backend(name)).code == "customer.malformed")
        }
    }

    @Test func `an uppercase UUID is the same customer`() async throws {
        try await Shop.open { shop async throws in
            try await shop.record(.creditSale)
            let balances: BalancesReply = try await shop.call(
                ServerEndpoints.balances, Empty(), by: .backend(Shop.customer.rawValue.uppercased())
            ).value()
            #expect(balances.amount() == 5)
        }
    }

    @Test func `an anonymous customer who signs in keeps purchases, credits, grants and tokens`() async throws {
        try await Shop.open { shop async throws in
            let first = try await Self.anonymous(shop)
            let named: CustomerReply = try await shop.call(
                ServerEndpoints.addAlias, AddAliasRequest(alias: "jane"), by: .backend(first.customer.rawValue)
            ).value()
            #expect(named == CustomerReply(customer: first.customer, aliases: ["jane"], mergedCustomer: nil))
            try await shop.record(.creditSale.with { $0.appAccountToken = first.customer })

            // The same person buys on a second device before signing in there.
            let second = try await Self.anonymous(shop)
            let sale = TransactionPayload.creditSale.with {
                ($0.transactionId, $0.originalTransactionId, $0.appAccountToken) = ("7", "7", second.customer)
            }
            try await shop.record(sale)
            try await shop.record(.bookSale.with { $0.appAccountToken = second.customer })
            #expect(try await shop.debit(1, "before", by: .backend(second.customer.rawValue)).status == .ok)
            _ = try await shop.call(
                ServerEndpoints.grantEntitlement, GrantEntitlementRequest(), ["entitlement": "beta"], by: .backend(second.customer.rawValue)
            )
            for merged in [second.customer, nil] {
                let reply: CustomerReply = try await shop.call(
                    ServerEndpoints.addAlias, AddAliasRequest(alias: "jane"), by: .backend(second.customer.rawValue)
                ).value()
                let merges = [CustomerReply.Merge(customer: second.customer, date: shop.clock.now)]
                #expect(reply == CustomerReply(customer: first.customer, aliases: ["jane"], mergedCustomer: merged, merges: merges))
            }

            for token in [first.token, second.token] {
                #expect(try await Self.balance(token, shop) == 9)
                #expect(try await shop.entitlement(to: EntitlementName(ProductID.book.rawValue), by: .app(token)).isActive)
                #expect(try await shop.entitlement(to: "beta", by: .app(token)).isActive)
            }
            // A debit from before the merge is not repeated.
            let repeated: LedgerReply = try await shop.debit(1, "before", by: .backend("jane")).value()
            #expect(repeated.isRepeated)
            // A refund of the second device's credits debits the merged balance.
            _ = try await shop.notify(.about(sale.refunded(), type: "REFUND"))
            #expect(try await Self.balance(first.token, shop) == 4)
            // A later purchase with the old token belongs to the merged customer.
            try await shop.record(sale.with { ($0.transactionId, $0.originalTransactionId) = ("8", "8") })
            #expect(try await Self.balance(first.token, shop) == 9)
            let audit = try #require(try await shop.server.auditLedger(of: .test))
            #expect(audit.unbalanced.isEmpty && audit.totals[.credits]?[.transfers] == 0)
        }
    }

    @Test func `an alias that was assigned by mistake is removed, and can then belong to another customer`() async throws {
        try await Shop.open { shop async throws in
            func remove(_ alias: String, from customer: String) async throws -> Answer {
                try await shop.call(ServerEndpoints.removeAlias, RemoveAliasRequest(alias: alias), by: .backend(customer))
            }
            let first = try await Self.anonymous(shop)
            _ = try await shop.call(
                ServerEndpoints.addAlias, AddAliasRequest(alias: "jane"), by: .backend(first.customer.rawValue))
            _ = try await shop.call(ServerEndpoints.customerToken, Empty(), by: .backend("joe"))
            #expect(try await remove("jane", from: "joe").code == "alias.unknown")
            let removed: CustomerReply = try await remove("jane", from: first.customer.rawValue).value()
            #expect(removed == CustomerReply(customer: first.customer, aliases: [], mergedCustomer: nil))
            #expect(try await remove("jane", from: first.customer.rawValue).code == "alias.unknown")
            #expect(try await shop.send(.get, "/v1/customer", .backend("jane")).code == "customer.unknown")
            // The token of the customer stays valid.
            #expect(try await shop.send(.get, "/v1/customer", .app(first.token)).status == .ok)
            let named: CustomerReply = try await shop.call(
                ServerEndpoints.addAlias, AddAliasRequest(alias: "jane"), by: .backend("joe")
            ).value()
            #expect(named.aliases == ["jane", "joe"] && named.customer != first.customer)
            #expect(try await shop.call(ServerEndpoints.removeAlias, RemoveAliasRequest(alias: "jane"), by: shop.app).code == "key.scope")
        }
    }

    @Test func `two customers with aliases are never merged`() async throws {
        try await Shop.open { shop async throws in
            for name in ["jane", "joe"] { _ = try await shop.call(ServerEndpoints.customerToken, Empty(), by: .backend(name)) }
            let answer = try await shop.call(ServerEndpoints.addAlias, AddAliasRequest(alias: "jane"), by: .backend("joe"))
            #expect(answer.status == .conflict && answer.code == "alias.taken")
        }
    }

    @Test(arguments: ["", "0b0b0b0b-1111-4222-8333-444444444444", String(repeating: "a", count: 201)])
    func `an alias is neither empty, nor too long, nor a UUID`(_ alias: String) async throws {
        try await Shop.open { shop async throws in
            #expect(try await shop.call(ServerEndpoints.addAlias, AddAliasRequest(alias: alias)).code == "alias.malformed")
        }
    }

    @Test func `deletion removes aliases, tokens and grants, and keeps the purchases provable`() async throws {
        try await Shop.open(change: Shop.Change { $0.transfers = TransferRules(policy: .keep) }) { shop async throws in
            let device = UUID()
            let jane: CustomerCredentials = try await shop.call(ServerEndpoints.customerToken, Empty(), by: .backend("jane")).value()
            try await shop.record(.bookSale.with { $0.appAccountToken = jane.customer })
            #expect(try await shop.call(ServerEndpoints.deleteCustomer, Empty(), by: .backend("jane")).status == .ok)
            #expect(try await shop.send(.get, "/v1/customer", .app(jane.token)).code == "customer-token.refused")
            #expect(try await shop.call(ServerEndpoints.customer, Empty(), by: .backend("jane")).code == "customer.unknown")
            #expect(try await shop.server.transactions(limit: 10).count == 1)
            let other = try await Self.anonymous(shop)
            let sale = TransactionPayload.bookSale.with { $0.appAccountToken = jane.customer }.bound(to: device)
            #expect(try await shop.record(sale, device: device, by: .app(other.token)).purchases.first?.fulfillment == .complete)
            #expect(try await shop.entitlement(to: EntitlementName(ProductID.book.rawValue), by: .app(other.token)).isActive)
        }
    }

    @Test func `a deleted customer who receives an alias is a customer again, whose purchases nobody else can claim`() async throws {
        try await Shop.open(change: Shop.Change { $0.transfers = TransferRules(policy: .keep) }) { shop async throws in
            let device = UUID()
            let jane: CustomerCredentials = try await shop.call(ServerEndpoints.customerToken, Empty(), by: .backend("jane")).value()
            let sale = TransactionPayload.bookSale.with { $0.appAccountToken = jane.customer }.bound(to: device)
            try await shop.record(sale)
            #expect(try await shop.call(ServerEndpoints.deleteCustomer, Empty(), by: .backend("jane")).status == .ok)
            let customers = try #require(shop.server.apps[.test]).customers
            _ = try await customers.addAlias("jane", to: .id(jane.customer))
            let other = try await Self.anonymous(shop)
            let purchase = try await shop.record(sale, device: device, by: .app(other.token)).purchases.first
            #expect(purchase?.fulfillment == .otherCustomer)
        }
    }

    @Test func `a customer has at most a hundred tokens, and the newest are valid`() async throws {
        try await Shop.open { shop async throws in
            let customers = try #require(shop.server.apps[.test]).customers
            var tokens: [String] = []
            for _ in 0...CustomerService.tokenLimit {
                shop.clock.advance(seconds: 1)
                tokens.append(try await customers.issueToken(for: .alias("jane")).token)
            }
            #expect(try await shop.send(.get, "/v1/customer", .app(tokens[0])).code == "customer-token.refused")
            #expect(try await shop.send(.get, "/v1/customer", .app(tokens[1])).status == .ok)
            #expect(try await shop.send(.get, "/v1/customer", .app(tokens[100])).status == .ok)
        }
    }
}
