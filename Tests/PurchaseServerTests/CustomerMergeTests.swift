import Foundation
import HTTPTypes
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Synchronization
import Testing
import Wire

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of merges that are shown and undone.
@Suite struct CustomerMergeTests {
    /// Two customers: one with an account, and one of a device of somebody else.
    private struct Pair {
        let shop: Shop
        let account: CustomerCredentials
        let device: CustomerCredentials

        init(_ shop: Shop) async throws {
            self.shop = shop
            account = try await shop.call(ServerEndpoints.customerToken, Empty(), by: .backend("jane")).value()
            device = try await shop.call(ServerEndpoints.createCustomer, CreateCustomerRequest(), by: .app(nil)).value()
        }

        @discardableResult
        func merge() async throws -> CustomerReply {
            try await shop.call(
                ServerEndpoints.addAlias, AddAliasRequest(alias: "jane"), by: .backend(device.customer.rawValue)
            ).value()
        }

        func undo(by customer: String = "jane") async throws -> Answer {
            try await shop.call(ServerEndpoints.undoMerge, UndoMergeRequest(customer: device.customer), by: .backend(customer))
        }

        func balance(_ token: String) async throws -> Int64 {
            try await shop.call(ServerEndpoints.balances, Empty(), by: .app(token)).value(BalancesReply.self).amount()
        }

        func has(_ entitlement: EntitlementName, _ token: String) async throws -> Bool {
            try await shop.entitlement(to: entitlement, by: .app(token)).isActive
        }

        func grant(_ entitlement: String, _ customer: CustomerCredentials) async throws {
            _ = try await shop.call(
                ServerEndpoints.grantEntitlement, GrantEntitlementRequest(), ["entitlement": entitlement],
                by: .backend(customer.customer.rawValue))
        }

        /// Checks that the ledger is balanced, and that a rebuild from the signed data and the decisions finds no difference.
        func verify() async throws {
            let audit = try #require(try await shop.server.auditLedger(of: .test))
            #expect(audit.unbalanced.isEmpty && audit.totals[.credits]?[.transfers, default: 0] ?? 0 == 0)
            let found = Mutex<[RebuildDifference]>([])
            _ = try await shop.server.rebuild(.test, isWriting: false, restarting: true) { event in
                if case .difference(let difference) = event { found.withLock { $0.append(difference) } }
            }
            #expect(found.withLock { $0 }.isEmpty)
        }
    }

    private static let book = EntitlementName(ProductID.book.rawValue)

    @Test func `a merge is listed, and undoing it gives purchases, credits, grants and tokens back to each customer`() async throws {
        try await Shop.open { shop async throws in
            let pair = try await Pair(shop)
            let (account, device) = (pair.account, pair.device)
            try await shop.record(.creditSale.with { $0.appAccountToken = account.customer })
            let sale = TransactionPayload.creditSale.with {
                ($0.transactionId, $0.originalTransactionId, $0.appAccountToken, $0.quantity) = ("7", "7", device.customer, 2)
            }
            try await shop.record(sale)
            try await shop.record(.bookSale.with { $0.appAccountToken = device.customer })
            try await pair.grant("beta", device)

            for round in 1...2 {
                let merged = try await pair.merge()
                #expect(merged.mergedCustomer == device.customer)
                #expect(merged.merges?.map(\.customer) == [device.customer] && merged.merges?.first?.undoneAt == nil)
                #expect(try await pair.balance(device.token) == 15)
                #expect(try await pair.has(Self.book, account.token))
                try await pair.verify()

                shop.clock.advance(seconds: 10)
                let undone: CustomerReply = try await pair.undo().value()
                #expect(undone.customer == account.customer && undone.aliases == ["jane"])
                #expect(undone.merges?.map(\.undoneAt) == [shop.clock.now], "round \(round)")
                #expect(try await pair.balance(account.token) == 5)
                #expect(try await pair.balance(device.token) == 10)
                for entitlement in [Self.book, "beta"] {
                    #expect(try await !pair.has(entitlement, account.token))
                    #expect(try await pair.has(entitlement, device.token))
                }
                try await pair.verify()
                // An answer that was lost is asked for again.
                shop.clock.advance(seconds: 10)
                #expect(try await pair.undo().value(CustomerReply.self) == undone)
            }
            // A refund after the merges concerns the customer who had the credits.
            _ = try await shop.notify(.about(sale.refunded(), type: "REFUND"))
            #expect(try await pair.balance(device.token) == 0)
            #expect(try await pair.balance(account.token) == 5)
            try await pair.verify()
        }
    }

    @Test func `credits that were added or debited since a merge make it final`() async throws {
        for isDebit in [true, false] {
            try await Shop.open { shop async throws in
                let pair = try await Pair(shop)
                try await shop.record(.creditSale.with { $0.appAccountToken = pair.device.customer })
                try await pair.merge()
                if isDebit {
                    #expect(try await shop.debit(1, "since", by: .backend("jane")).status == .ok)
                } else {
                    let credits = DebitRequest(idempotencyKey: "since", amount: 1)
                    _ = try await shop.call(ServerEndpoints.creditGrant, credits, by: .backend("jane"))
                }
                let refused = try await pair.undo()
                #expect(refused.status == .conflict && refused.code == "merge.final")
                #expect(try await pair.balance(pair.device.token) == (isDebit ? 4 : 6))
                try await pair.verify()
            }
        }
    }

    @Test func `what came since a merge stays, except for purchases that the device's customer is named by`() async throws {
        try await Shop.open { shop async throws in
            let pair = try await Pair(shop)
            try await pair.merge()
            try await shop.record(.bookSale.with { $0.appAccountToken = pair.device.customer })
            try await pair.grant("beta", pair.account)
            #expect(try await pair.has(Self.book, pair.account.token))
            #expect(try await pair.undo().status == .ok)
            #expect(try await pair.has(Self.book, pair.device.token))
            #expect(try await !pair.has(Self.book, pair.account.token))
            #expect(try await pair.has("beta", pair.account.token))
            #expect(try await !pair.has("beta", pair.device.token))
            try await pair.verify()
        }
    }

    @Test func `a grant that was revoked since a merge stays revoked`() async throws {
        try await Shop.open { shop async throws in
            let pair = try await Pair(shop)
            try await pair.grant("beta", pair.device)
            try await pair.merge()
            shop.clock.advance(seconds: 1)
            _ = try await shop.call(ServerEndpoints.revokeGrants, Empty(), ["entitlement": "beta"], by: .backend("jane"))
            #expect(try await pair.undo().status == .ok)
            #expect(try await !pair.has("beta", pair.device.token))
        }
    }

    @Test func `only a backend undoes a merge, of a customer whom it names, and not after a deletion`() async throws {
        try await Shop.open { shop async throws in
            let pair = try await Pair(shop)
            let unknown = try await pair.undo()
            #expect(unknown.status == .notFound && unknown.code == "merge.unknown")
            try await pair.merge()
            let byApp = try await shop.call(
                ServerEndpoints.undoMerge, UndoMergeRequest(customer: pair.device.customer), by: .app(pair.account.token))
            #expect(byApp.code == "key.scope")
            #expect(try await pair.undo(by: "joe").code == "customer.unknown")
            // The identifier of the merged customer names the customer who has its purchases.
            let account: CustomerReply = try await shop.call(
                ServerEndpoints.customer, Empty(), by: .backend(pair.device.customer.rawValue)
            ).value()
            #expect(account.merges?.count == 1)
            #expect(try await shop.call(ServerEndpoints.deleteCustomer, Empty(), by: .backend("jane")).status == .ok)
            #expect(try await pair.undo(by: pair.account.customer.rawValue).code == "merge.unknown")
        }
    }

    @Test func `a deletion leaves no record of a merge, also of one before a later merge`() async throws {
        try await Shop.open { shop async throws in
            let pair = try await Pair(shop)
            let joe: CustomerCredentials = try await shop.call(ServerEndpoints.customerToken, Empty(), by: .backend("joe")).value()
            try await pair.merge()
            _ = try await shop.call(ServerEndpoints.removeAlias, RemoveAliasRequest(alias: "jane"), by: .backend("jane"))
            _ = try await shop.call(
                ServerEndpoints.addAlias, AddAliasRequest(alias: "joe"), by: .backend(pair.account.customer.rawValue))
            func records() async throws -> Int {
                try await shop.server.storage.read(.test) { records in
                    try [joe.customer, pair.account.customer].reduce(0) { try $0 + records.merges(into: $1, limit: 10).count }
                }
            }
            #expect(try await records() == 2)
            #expect(try await shop.call(ServerEndpoints.deleteCustomer, Empty(), by: .backend("joe")).status == .ok)
            #expect(try await records() == 0)
        }
    }

    @Test func `a merge into a customer who was merged later is undone after the later one`() async throws {
        try await Shop.open { shop async throws in
            let pair = try await Pair(shop)
            let joe: CustomerCredentials = try await shop.call(ServerEndpoints.customerToken, Empty(), by: .backend("joe")).value()
            try await shop.record(.bookSale.with { $0.appAccountToken = pair.device.customer })
            try await shop.record(.creditSale.with { $0.appAccountToken = pair.device.customer })
            try await pair.merge()
            _ = try await shop.call(ServerEndpoints.removeAlias, RemoveAliasRequest(alias: "jane"), by: .backend("jane"))
            _ = try await shop.call(
                ServerEndpoints.addAlias, AddAliasRequest(alias: "joe"), by: .backend(pair.account.customer.rawValue))
            #expect(try await pair.has(Self.book, joe.token))
            #expect(try await pair.undo(by: "joe").code == "merge.unknown")
            let later = UndoMergeRequest(customer: pair.account.customer)
            #expect(try await shop.call(ServerEndpoints.undoMerge, later, by: .backend("joe")).status == .ok)
            #expect(try await pair.has(Self.book, pair.account.token))
            #expect(try await pair.undo(by: pair.account.customer.rawValue).status == .ok)
            #expect(try await pair.has(Self.book, pair.device.token))
            #expect(try await !pair.has(Self.book, pair.account.token))
            #expect(try await !pair.has(Self.book, joe.token))
            for (token, balance) in [(pair.device.token, Int64(5)), (pair.account.token, 0), (joe.token, 0)] {
                #expect(try await pair.balance(token) == balance)
            }
            try await pair.verify()
        }
    }

    @Test func `of two merges with credits the later one is undone first`() async throws {
        try await Shop.open { shop async throws in
            let pair = try await Pair(shop)
            let other: CustomerCredentials = try await shop.call(
                ServerEndpoints.createCustomer, CreateCustomerRequest(), by: .app(nil)
            ).value()
            for customer in [pair.device, other] {
                let credits = DebitRequest(idempotencyKey: "welcome", amount: 7)
                _ = try await shop.call(ServerEndpoints.creditGrant, credits, by: .backend(customer.customer.rawValue))
            }
            try await pair.merge()
            _ = try await shop.call(ServerEndpoints.addAlias, AddAliasRequest(alias: "jane"), by: .backend(other.customer.rawValue))
            #expect(try await pair.undo().code == "merge.final")
            let later = UndoMergeRequest(customer: other.customer)
            #expect(try await shop.call(ServerEndpoints.undoMerge, later, by: .backend("jane")).status == .ok)
            #expect(try await pair.undo().status == .ok)
            for token in [pair.device.token, other.token] { #expect(try await pair.balance(token) == 7) }
            #expect(try await pair.balance(pair.account.token) == 0)
            try await pair.verify()
        }
    }

    @Test func `a merge that was undone and made again through another customer is not reported as undone`() async throws {
        try await Shop.open { shop async throws in
            let pair = try await Pair(shop)
            let joe: CustomerCredentials = try await shop.call(ServerEndpoints.customerToken, Empty(), by: .backend("joe")).value()
            try await pair.merge()
            #expect(try await pair.undo().status == .ok)
            _ = try await shop.call(ServerEndpoints.addAlias, AddAliasRequest(alias: "joe"), by: .backend(pair.device.customer.rawValue))
            _ = try await shop.call(ServerEndpoints.removeAlias, RemoveAliasRequest(alias: "joe"), by: .backend("joe"))
            _ = try await shop.call(ServerEndpoints.addAlias, AddAliasRequest(alias: "jane"), by: .backend(joe.customer.rawValue))
            #expect(try await pair.undo().code == "merge.unknown")
        }
    }
}
