import Foundation
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the number of requests to the App Store that an import needs.
@Suite struct ImportRequestTests {
    /// Imports a file, and returns the endpoints of the requests to the App Store.
    private static func requests(
        of text: String, to shop: ConnectedShop, periods: ImportedPeriods = .all, restarts: Bool = false
    ) async throws -> [String] {
        let before = try await sent(to: shop).count
        try await TemporaryFolder.with { folder in
            let path = folder.file("purchases.csv").path
            try Data(text.utf8).write(to: URL(filePath: path))
            var options = PurchaseFileImporter.Options(format: .csv, refusedFile: path + ".refused.jsonl")
            options.periods = periods
            options.restarts = restarts
            let report = try await #require(shop.server.importer(of: .test)).run(path, options)
            #expect(report.isComplete && report.unknown == 0 && report.refused == 0)
        }
        return Array(try await sent(to: shop).dropFirst(before))
    }

    /// The endpoints of all requests to the App Store Server API, such as `subscriptions`.
    private static func sent(to shop: ConnectedShop) async throws -> [String] {
        try await shop.store.call(ControlEndpoints.requests, Empty()).requests.filter { $0.surface == .serverAPI }.map { request in
            request.path.split(separator: "/").dropFirst(2).first.map { String($0) } ?? ""
        }
    }

    private static func periods(of subscription: TransactionID, in shop: ConnectedShop) async throws -> [TransactionID] {
        try await shop.app.storage.read(.test) { try $0.transactions(of: subscription) }.map(\.transaction.transactionId)
    }

    private static func isActive(_ product: ProductID, in shop: ConnectedShop) async throws -> Bool {
        try await shop.app.entitlements.read(EntitlementName(product.rawValue), of: .alias("jane"), at: nil).isActive
    }

    @Test func `a subscription with one period needs one request, and one with several also its history`() async throws {
        try await ConnectedShop.open { shop in
            let first = try await shop.device.buy(.magazine).transactionId
            let file = "transaction_id,customer\n\(first),jane\n"
            #expect(try await Self.requests(of: file, to: shop) == ["subscriptions"])
            #expect(try await Self.periods(of: first, in: shop) == [first])
            #expect(try await Self.isActive(.magazine, in: shop))
            try await shop.pass(days: 70)
            #expect(try await Self.requests(of: file, to: shop, restarts: true) == ["subscriptions", "history"])
            let periods = try await Self.periods(of: first, in: shop)
            try #require(periods.count == 3)
            // The status names the first and the latest transaction. Another one can belong to any subscription of the customer.
            let latest = "transaction_id\n\(periods[2])\n"
            #expect(try await Self.requests(of: latest, to: shop) == ["subscriptions", "history"])
            let other = "transaction_id\n\(periods[1])\n"
            #expect(try await Self.requests(of: other, to: shop) == ["subscriptions", "transactions", "history"])
        }
    }

    @Test func `the status of a customer's subscription is not taken for another purchase of the customer`() async throws {
        try await ConnectedShop.open { shop in
            let magazine = try await shop.device.buy(.magazine).transactionId
            let book = try await shop.device.buy(.book).transactionId
            let requests = try await Self.requests(of: "transaction_id,customer\n\(book),jane\n", to: shop)
            #expect(requests == ["subscriptions", "transactions"])
            #expect(try await Self.periods(of: book, in: shop) == [book])
            #expect(try await Self.periods(of: magazine, in: shop) == [])
        }
    }

    @Test func `a purchase that does not renew needs one request if its type is stated, and otherwise two`() async throws {
        let change = Shop.Change {
            $0.products = [ServerProduct(id: .book, type: .nonConsumable), ServerProduct(id: .magazine, type: .autoRenewable)]
        }
        try await ConnectedShop.open(change: change) { shop in
            let book = try await shop.device.buy(.book).transactionId
            let magazine = try await shop.device.buy(.magazine).transactionId
            let cases: [(file: String, requests: [String])] = [
                ("transaction_id,product_id\n\(book),\(ProductID.book)\n", ["transactions"]),
                ("transaction_id,is_auto_renewable\n\(book),false\n", ["transactions"]),
                ("transaction_id\n\(book)\n", ["subscriptions", "transactions"]),
                ("transaction_id,product_identifier\n\(magazine),\(ProductID.magazine)\n", ["subscriptions"]),
                // A wrong statement costs a request, and loses nothing.
                ("transaction_id,is_auto_renewable\n\(book),true\n", ["subscriptions", "transactions"]),
                ("transaction_id,is_auto_renewable\n\(magazine),false\n", ["transactions", "subscriptions"]),
            ]
            for (file, requests) in cases { #expect(try await Self.requests(of: file, to: shop) == requests, "\(file)") }
            let deciding = try await shop.app.storage.read(.test) { try $0.decidingEvents(of: magazine) }
            #expect(deciding?.renewal?.renewal?.autoRenewStatus == 1)
        }
        let other = Shop.Change { $0.products = [ServerProduct(id: .book, type: .nonConsumable)] }
        try await ConnectedShop.open(change: other) { shop in
            let book = try await shop.device.buy(.book).transactionId
            #expect(try await Self.requests(of: "transaction_id\n\(book)\n", to: shop) == ["transactions"])
        }
    }

    @Test func `the latest period of a subscription needs one request, and a later import adds the other periods`() async throws {
        try await ConnectedShop.open { shop in
            let first = try await shop.device.buy(.magazine).transactionId
            try await shop.pass(days: 70)
            let file = "transaction_id,customer\n\(first),jane\n"
            #expect(try await Self.requests(of: file, to: shop, periods: .latest) == ["subscriptions"])
            #expect(try await Self.periods(of: first, in: shop).count == 1)
            #expect(try await Self.isActive(.magazine, in: shop))
            #expect(try await Self.requests(of: file, to: shop, restarts: true) == ["subscriptions", "history"])
            #expect(try await Self.periods(of: first, in: shop).count == 3)
            #expect(try await Self.isActive(.magazine, in: shop))
        }
    }

    @Test func `rate limits are no attempts, and the eighth error ends the import`() throws {
        var attempts = ImportAttempts()
        let now = Timestamp.testStart
        for second in 1...20 {
            let date = now.adding(seconds: Int64(second))
            let (stated, unstated) = (
                try attempts.next(after: .rateLimit(date), line: 2, at: now), try attempts.next(after: .rateLimit(nil), line: 2, at: now)
            )
            #expect(stated == date && unstated == now.adding(seconds: 60))
        }
        for seconds: Int64 in [2, 4, 8, 16, 32, 60, 60] {
            let date = try attempts.next(after: .temporary("No answer."), line: 2, at: now)
            #expect(date == now.adding(seconds: seconds))
        }
        let error = #expect(throws: ImportInterruption.self) { try attempts.next(after: .temporary("No answer."), line: 2, at: now) }
        #expect(error?.message.hasPrefix("No answer. Run the command again") == true)
    }

    @Test(arguments: [1, 7, 20, 300, 501, 999, 1_000])
    func `requests do not exceed the rate, and come close to it`(_ perSecond: Int) async throws {
        let timer = InstantTimer()
        // The clock stands still, so each delay is the time of the request.
        let pace = RequestPace(perSecond: perSecond, clock: ManualClock(), timer: timer)
        for _ in 0...perSecond { try await pace.wait() }
        let last = try #require(timer.delays.last)
        #expect(timer.delays.count == perSecond && last >= .seconds(1) && last < .seconds(1) + .milliseconds(1))
    }

    @Test func `a pause delays later requests, and none is delayed without a limit`() async throws {
        let (timer, clock) = (InstantTimer(), ManualClock())
        let pace = RequestPace(perSecond: 0, clock: clock, timer: timer)
        for _ in 0..<3 { try await pace.wait() }
        #expect(timer.delays.isEmpty)
        await pace.pause(until: clock.now.adding(seconds: 5))
        try await pace.wait()
        #expect(timer.delays == [.seconds(5)])
    }

    @Test func `if the latest period was charged ahead, the current one is imported too`() async throws {
        try await ConnectedShop.open { shop in
            let first = try await shop.device.buy(.magazineWeekly).transactionId
            try await shop.pass(days: 6, seconds: 43_200)
            _ = try await shop.store.perform(SubscriptionRequest(.chargeAhead), on: first)
            let file = "transaction_id,customer\n\(first),jane\n"
            #expect(try await Self.requests(of: file, to: shop, periods: .latest) == ["subscriptions", "history"])
            #expect(try await Self.isActive(.magazineWeekly, in: shop))
        }
    }
}
