import Foundation
import FoundationExtras
import GRDB
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

/// Tests of the search for an identifier or a name, whatever it belongs to.
@Suite struct SearchTests {
    private static func search(_ text: String, _ store: StoreHarness, limit: Int? = nil) async throws -> [SearchResult] {
        let limit = limit.map { "&limit=\($0)" } ?? ""
        let answer = try await store.send(.get, "/control/v1/search?text=\(text.queryValue)\(limit)")
        guard answer.status == .ok else { throw Refused(status: answer.status.code, code: String(buffer: answer.body)) }
        return try WireJSON.decode(SearchReply.self, from: Data(buffer: answer.body)).results
    }

    @Test func `each identifier of a transaction finds it`() async throws {
        try await StoreHarness.run { store in
            let phone = try await store.signIn()
            let first = try await phone.buy(.magazine)
            try await store.advance(days: 32)
            let summaries = try await store.call(ControlEndpoints.transactions, Empty(), ["account": "ada@example.com"]).summaries
            let renewal = try #require(summaries.last)
            #expect(renewal.payload.originalTransactionId == first.transactionId && renewal.payload.transactionId != first.transactionId)
            let found = try await Self.search(first.transactionId.rawValue, store)
            #expect(found.map(\.kind) == [.transaction, .transaction])
            #expect(found.map(\.id) == [first.transactionId, renewal.payload.transactionId].map(\.rawValue))
            #expect(found.map(\.match) == [.transactionID, .originalTransactionID])
            #expect(found[0].account == "ada@example.com" && found[0].title == ProductID.magazine.rawValue && found[0].bundleID == .test)
            let lookups: [(String?, SearchResult.Match)] = [
                (renewal.orderID, .orderID), (renewal.orderID.lowercased(), .orderID),
                (renewal.payload.webOrderLineItemId, .webOrderLineItemID), (" \(renewal.payload.transactionId.rawValue) ", .transactionID),
            ]
            for (text, match) in lookups {
                let results = try await Self.search(try #require(text), store)
                #expect(results.map(\.id) == [renewal.payload.transactionId.rawValue] && results.map(\.match) == [match])
            }
            let account = try await Self.search(try #require(first.appTransactionId), store)
            #expect(account.map(\.id) == ["ada@example.com"] && account.map(\.match) == [.appTransactionID])
            let details = try await store.call(
                ControlEndpoints.transaction, Empty(), ["transaction": renewal.payload.transactionId.rawValue])
            #expect(details.account == "ada@example.com" && details.summary.orderID == renewal.orderID)
        }
    }

    @Test func `a notification is found by its UUID in any case and by the beginning of it`() async throws {
        try await StoreHarness.run { store in
            _ = try await store.signIn().buy(.book)
            let uuid = try #require(try await store.call(ControlEndpoints.notifications, Empty()).deliveries.first).notificationUUID
            for text in [uuid, uuid.uppercased(), String(uuid.prefix(8))] {
                let results = try await Self.search(text, store)
                #expect(results.map(\.id) == [uuid] && results[0].kind == .notification && results[0].account == "ada@example.com")
            }
        }
    }

    @Test func `accounts and products are found by a part of a name, and a request by its number`() async throws {
        try await StoreHarness.run { store in
            for name in ["ada@example.com", "ada", "grace@example.com"] {
                _ = try await store.call(ControlEndpoints.createAccount, CreateAccountRequest(account: AccountID(name), password: "secret"))
            }
            #expect(try await Self.search("ADA", store).map(\.id) == ["ada", "ada@example.com"])
            #expect(try await Self.search("ada", store).map(\.id) == ["ada", "ada@example.com"])
            let credits = try await Self.search("5 CRED", store)
            #expect(credits.map(\.id) == [ProductID.credits.rawValue] && credits[0].match == .title && credits[0].bundleID == .test)
            #expect(try await Self.search("credits5", store).map(\.match) == [.productID])
        }
        try await StoreHarness.run(over: .live) { store in
            _ = try await store.call(ControlEndpoints.clock, Empty())
            let request = try #require(try await Self.search("#1", store).first)
            #expect(request.kind == .request && request.id == "1" && request.title == "GET /control/v1/clock")
        }
    }

    @Test func `identifiers are looked up in indexes`() async throws {
        try await StoreHarness.run { store in
            let plans = try await store.store.context.read { db in
                try ["id", "originalID", "orderID", "webOrderLineItemID"].flatMap { column in
                    let sql = "EXPLAIN QUERY PLAN \(SearchService.lookupSQL(column))"
                    return try Row.fetchAll(db, sql: sql, arguments: ["1", 1]).map { $0["detail"] as String }
                }
            }
            #expect(plans.count == 4 && plans.allSatisfy { $0.hasPrefix("SEARCH transactions USING INDEX") }, "\(plans)")
        }
    }

    @Test func `the number of results is limited`() async throws {
        try await StoreHarness.run { store in
            for number in 1...40 {
                let request = CreateAccountRequest(account: AccountID("example\(number)"), password: "secret")
                _ = try await store.call(ControlEndpoints.createAccount, request)
            }
            let results = try await Self.search("example", store)
            #expect(results.count <= SearchReply.limit && results.contains { $0.kind == .product })
            #expect(results.count { $0.kind == .account } == 12)
            #expect(results[0].id == "example40")
            #expect(try await Self.search("example", store, limit: 3) == Array(results.prefix(3)))
        }
    }

    @Test(arguments: [
        "'; DROP TABLE accounts; --", "%", "_", "\\", "*", "2000000000000009999", "99999999999999999999", "#", "-", "abcd", " ",
    ])
    func `a text that is nowhere has no results`(_ text: String) async throws {
        try await StoreHarness.run { store in
            _ = try await store.signIn()
            #expect(try await Self.search(text, store).isEmpty)
        }
    }

    @Test(arguments: ["", "?text=\(String(repeating: "a", count: 201))", "?text=a&limit=0", "?text=a&limit=21", "?text=%ff"])
    func `an invalid query is refused`(_ query: String) async throws {
        try await StoreHarness.run { store in
            let answer = try await store.send(.get, "/control/v1/search\(query)")
            #expect(answer.status == .badRequest)
        }
    }

    @Test func `an unknown transaction is not found`() async throws {
        try await StoreHarness.run { store in
            await #expect(throws: Refused(status: 404, code: "transaction.unknown")) {
                try await store.call(ControlEndpoints.transaction, Empty(), ["transaction": "1"])
            }
        }
    }
}
