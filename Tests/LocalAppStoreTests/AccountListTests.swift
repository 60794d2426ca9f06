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

/// Tests of the list of accounts in which people look up a customer.
@Suite struct AccountListTests {
    private static func page(_ store: StoreHarness, _ query: AccountQuery = AccountQuery()) async throws -> AccountsReply {
        let text = query.parameters.map { "\($0.key)=\($0.value.queryValue)" }.joined(separator: "&")
        let answer = try await store.send(.get, "/control/v1/accounts?\(text)")
        guard answer.status == .ok else { throw Refused(status: answer.status.code, code: String(buffer: answer.body)) }
        return try WireJSON.decode(AccountsReply.self, from: Data(buffer: answer.body))
    }

    private static func activity(_ store: StoreHarness, _ account: String = "ada@example.com") async throws -> AccountActivity {
        try #require(try await store.call(ControlEndpoints.account, Empty(), ["account": account]).activity)
    }

    @Test func `an account has its subscriptions, the sum of its charges, and the date of its newest event`() async throws {
        try await StoreHarness.run { store in
            let phone = try await store.signIn()
            _ = try await phone.buy(.magazine)
            let bought = try await Self.activity(store)
            let subscription = try #require(bought.subscriptions.first)
            #expect(bought.subscriptions.count == 1 && subscription.productID == .magazine && subscription.title == nil)
            #expect(subscription.status == .active && subscription.willAutoRenew)
            #expect(subscription.nextRenewalDate == subscription.expiresDate)
            #expect(bought.spending == [Money(milliunits: 2_990, currency: "USD")] && bought.lastActivityDate == store.store.clock.now)

            let book = try await phone.buy(.book)
            try await store.advance(days: 32)
            _ = try await store.call(ControlEndpoints.refund, IssueRefund(transactionID: book.transactionId))
            let renewed = try await Self.activity(store)
            #expect(renewed.spending == [Money(milliunits: 5_980, currency: "USD")])
            let newest = try #require(renewed.subscriptions.first)
            #expect(newest.expiresDate > subscription.expiresDate)
        }
    }

    @Test func `the status of a subscription follows a declined payment method`() async throws {
        try await StoreHarness.run { store in
            let phone = try await store.signIn()
            _ = try await phone.buy(.magazine)
            _ = try await store.call(
                ControlEndpoints.setPaymentMethod, PaymentMethodRequest(isValid: false), ["account": "ada@example.com"])
            var statuses: [SubscriptionStatus] = []
            for days in [32, 16, 60] as [Int64] {
                try await store.advance(days: days)
                let subscription = try #require(try await Self.activity(store).subscriptions.first)
                statuses.append(subscription.status)
                #expect((subscription.nextRenewalDate == nil) == (subscription.status == .expired))
            }
            #expect(statuses == [.gracePeriod, .billingRetry, .expired])
        }
    }

    @Test func `a notification and its delivery are no activity of the account`() async throws {
        try await StoreHarness.run { store in
            _ = try await store.signIn()
            let before = try await Self.activity(store).lastActivityDate
            let (context, events) = (store.store.context, store.store.storeServices.events)
            for kind in [.notification, .delivery, .finish] as [StoreEvent.Kind] {
                try await context.transaction { db, now in
                    try events.insertEvent(EventRecord(date: now.adding(seconds: 60), kind: kind, account: .test), db)
                }
                let date = try await Self.activity(store).lastActivityDate
                #expect((date == before) == (kind != .finish))
            }
        }
    }

    @Test func `the accounts of an earlier version have the dates of their newest events`() throws {
        let queue = try DatabaseQueue()
        try StoreDatabase.migrator.migrate(queue, upTo: "2 indexes")
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO accounts (id, password, askToBuyEnabled, hasValidPaymentMethod, environment, sharesPurchases,
                        interruptedPurchasesEnabled)
                    VALUES ('ada', 'secret', 0, 1, 'Sandbox', 1, 0), ('grace', 'secret', 0, 1, 'Sandbox', 1, 0);
                    INSERT INTO events (date, kind, account) VALUES (1, 'purchase', 'ada'), (2, 'renewal', 'ada'), (3, 'delivery', 'ada');
                    """)
        }
        try StoreDatabase.migrator.migrate(queue)
        let dates = try queue.read { db in try Int64.fetchAll(db, sql: "SELECT lastActivity FROM accounts ORDER BY id") }
        #expect(dates == [2, 0])
    }

    @Test func `pages have each account once, newest activity first`() async throws {
        try await StoreHarness.run { store in
            for number in 1...7 {
                let request = CreateAccountRequest(account: AccountID("account\(number)@example.com"), password: "secret")
                _ = try await store.call(ControlEndpoints.createAccount, request)
                // The accounts 4 to 7 have the same date.
                if number < 4 { try await store.advance(days: 1) }
            }
            _ = try await store.call(
                ControlEndpoints.setPaymentMethod, PaymentMethodRequest(isValid: true), ["account": "account2@example.com"])
            var query = AccountQuery()
            query.limit = 3
            var names: [String] = []
            repeat {
                let page = try await Self.page(store, query)
                #expect(page.accounts.count <= 3 && page.count == 7)
                names += page.accounts.map { String($0.account.rawValue.prefix(8)) }
                query.paginationToken = page.paginationToken
            } while query.paginationToken != nil
            #expect(names == ["account7", "account6", "account5", "account4", "account2", "account3", "account1"])
        }
    }

    @Test(arguments: [("ADA", ["ada@example.com"]), ("_", ["under_score"]), ("%", ["per%cent"]), ("\\", []), ("'", [])])
    func `accounts are found by a part of their names`(_ text: String, _ names: [AccountID]) async throws {
        try await StoreHarness.run { store in
            for name in ["ada@example.com", "under_score", "per%cent"] {
                _ = try await store.call(ControlEndpoints.createAccount, CreateAccountRequest(account: AccountID(name), password: "secret"))
            }
            var query = AccountQuery()
            query.text = text
            let page = try await Self.page(store, query)
            #expect(page.accounts.map(\.account) == names && page.count == names.count && page.paginationToken == nil)
        }
    }

    @Test(arguments: [
        "limit=0", "limit=201", "limit=x", "paginationToken=x", "paginationToken=", "text=\(String(repeating: "a", count: 201))",
    ])
    func `an invalid query is refused`(_ query: String) async throws {
        try await StoreHarness.run { store in
            let answer = try await store.send(.get, "/control/v1/accounts?\(query)")
            #expect(answer.status == .badRequest)
        }
    }

    @Test func `an unknown account is not found, and the list without a query has no activity`() async throws {
        try await StoreHarness.run { store in
            _ = try await store.signIn()
            await #expect(throws: Refused(status: 404, code: "account.unknown")) {
                try await store.call(ControlEndpoints.account, Empty(), ["account": "nobody"])
            }
            let all = try await store.call(ControlEndpoints.accounts, Empty())
            #expect(all.accounts.map(\.activity) == [nil] && all.count == nil)
        }
    }

    @Test func `a page of ten thousand accounts is read by index, and amounts of any size have a sum`() async throws {
        try await StoreHarness.run { store in
            let phone = try await store.signIn()
            let transaction = try await phone.buy(.credits).transactionId.rawValue
            try await store.store.context.database.write { db in
                try db.execute(
                    sql: """
                        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
                        INSERT INTO accounts (id, password, askToBuyEnabled, hasValidPaymentMethod, environment, sharesPurchases,
                            interruptedPurchasesEnabled, lastActivity)
                        SELECT 'account' || n, 'secret', 0, 1, 'Sandbox', 1, 0, n FROM numbers
                        """)
                for kind in ["refund 8", "refund 9"] {
                    try db.execute(
                        sql: """
                            INSERT INTO charges (account, transactionID, kind, productID, date, amount, currency)
                            VALUES ('account10000', ?, ?, 'p', 1, 9223372036854775807, 'USD')
                            """, arguments: [transaction, kind])
                }
            }
            let page = try await Self.page(store)
            #expect(page.accounts.count == 100 && page.count == 10_001)
            #expect(page.accounts.first?.account == "ada@example.com" && page.accounts.last?.account == "account9902")
            #expect(page.accounts[1].activity?.spending == [Money(milliunits: .max, currency: "USD")])
            let queries: [(sql: String, arguments: StatementArguments)] = [
                (AccountListService.pageSQL, [1, 1, nil, nil, 1]), (AccountListService.spendingSQL, ["a"]),
            ]
            let plans = try await store.store.context.read { db in
                try queries.map { sql, arguments in
                    try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments).map { $0["detail"] as String }
                }
            }
            #expect(plans.allSatisfy { $0.count == 1 && $0[0].hasPrefix("SEARCH") }, "\(plans)")
        }
    }
}
