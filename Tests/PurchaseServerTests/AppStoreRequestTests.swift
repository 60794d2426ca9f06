import Foundation
import FoundationExtras
import Logging
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the requests that the server sends to the App Store: consumption information, and finished transactions.
@Suite struct AppStoreRequestTests {
    private static let consenting = Shop.Change {
        $0.consumption = ConsumptionPolicy(consent: .all, preference: .grantProrated)
    }

    @Test func `consumption information arrives once, with the consumed share of the credits, despite failed attempts`() async throws {
        let timer = InstantTimer()
        try await ConnectedShop.open(timer: timer, change: Self.consenting) { shop in
            try await shop.receivingNotifications {
                let bought = try await shop.buy(.credits)
                _ = try await shop.app.ledger.debit(DebitRequest(idempotencyKey: "a", amount: 2), from: .id(Shop.customer))
                try await shop.requestRefund(of: bought)
                let requests = try #require(shop.app.appStore).requests
                try await shop.setServerAPI(failing: true)
                for attempt in 1...3 {
                    try await requests.sendDue()
                    // The second time, the request is not due.
                    try await requests.sendDue()
                    let waiting = try #require(try await shop.waitingRequests().first)
                    #expect(waiting.attempts == attempt)
                    #expect(waiting.dueAt == shop.clock.now.adding(seconds: 60 << Int64(attempt - 1)))
                    shop.clock.set(waiting.dueAt)
                    timer.advance(by: .seconds(60))
                }
                #expect(try await shop.consumption() == nil)
                try await shop.setServerAPI(failing: false)
                for _ in 1...3 { try await requests.sendDue() }
                let expected = ConsumptionRequest(
                    customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false, consumptionPercentage: 40_000,
                    refundPreference: .grantProrated)
                #expect(try await shop.consumption() == expected)
                #expect(try await shop.waitingRequests().isEmpty)
                let events = try await shop.store.call(ControlEndpoints.events, Empty()).events
                #expect(events.count { $0.detail == "consumption information" } == 1)
                // The same notification again, from the history, is no new request.
                try await shop.reconcile()
                #expect(try await shop.waitingRequests().isEmpty)
            }
        }
    }

    @Test func `without consent nothing is answered`() async throws {
        try await ConnectedShop.open { shop in
            try await shop.receivingNotifications {
                try await shop.requestRefund(of: try await shop.buy(.credits))
                #expect(try await shop.waitingRequests().isEmpty)
            }
        }
    }

    @Test func `each customer decides about consumption information, and a withdrawn consent counts at once`() async throws {
        let change = Shop.Change { $0.consumption = ConsumptionPolicy(consent: .customers) }
        for (decisions, isAnswered) in [([], false), ([true], true), ([true, false], false), ([false, true], true)] {
            try await ConnectedShop.open(change: change) { shop in
                try await shop.receivingNotifications {
                    let bought = try await shop.buy(.credits)
                    for decision in decisions {
                        let reply = try await shop.app.customers.setConsent(ConsentRequest(consumption: decision), of: .id(Shop.customer))
                        #expect(reply.consumption == decision)
                        #expect(try await shop.app.customers.consent(of: .id(Shop.customer)) == reply)
                    }
                    try await shop.requestRefund(of: bought)
                    try await #require(shop.app.appStore).requests.sendDue()
                    #expect(try await (shop.consumption() != nil) == isAnswered)
                    #expect(try await shop.waitingRequests().isEmpty)
                }
            }
        }
    }

    @Test func `the consent of an anonymous customer follows a merge, and ends with the deletion of the customer`() async throws {
        try await ConnectedShop.open { shop in
            let customers = shop.app.customers
            let anonymous = try await customers.createAnonymous(nil).customer
            _ = try await shop.app.customers.setConsent(ConsentRequest(consumption: true), of: .id(anonymous))
            _ = try await customers.addAlias("jane", to: .alias("jane"))
            _ = try await customers.addAlias("jane", to: .id(anonymous))
            #expect(try await shop.app.customers.consent(of: .alias("jane")).consumption)
            try await customers.delete(.alias("jane"))
            #expect(try await !shop.app.customers.consent(of: .id(anonymous)).consumption)
        }
    }

    @Test func `credits of a customer whose merge was undone are no consumed credits`() async throws {
        try await ConnectedShop.open(change: Self.consenting) { shop in
            try await shop.receivingNotifications {
                let bought = try await shop.buy(.credits)
                let customers = shop.app.customers
                _ = try await customers.addAlias("jane", to: .id(Shop.customer))
                let anonymous = try await customers.createAnonymous(nil).customer
                _ = try await shop.app.ledger.grant(DebitRequest(idempotencyKey: "welcome", amount: 10), to: .id(anonymous))
                _ = try await customers.addAlias("jane", to: .id(anonymous))
                _ = try await customers.undoMerge(of: anonymous, into: .alias("jane"))
                try await shop.requestRefund(of: bought)
                try await #require(shop.app.appStore).requests.sendDue()
                #expect(try await shop.consumption()?.consumptionPercentage == 0)
            }
        }
    }

    @Test func `a consent that was withdrawn after a merge stays withdrawn after the merge is undone`() async throws {
        try await ConnectedShop.open { shop in
            let customers = shop.app.customers
            let anonymous = try await customers.createAnonymous(nil).customer
            for isWithdrawn in [false, true] {
                _ = try await shop.app.customers.setConsent(ConsentRequest(consumption: true), of: .id(anonymous))
                _ = try await customers.addAlias("jane", to: .alias("jane"))
                _ = try await customers.addAlias("jane", to: .id(anonymous))
                if isWithdrawn { _ = try await shop.app.customers.setConsent(ConsentRequest(consumption: false), of: .alias("jane")) }
                _ = try await customers.undoMerge(of: anonymous, into: .alias("jane"))
                #expect(try await shop.app.customers.consent(of: .id(anonymous)).consumption != isWithdrawn)
                #expect(try await !shop.app.customers.consent(of: .alias("jane")).consumption)
            }
        }
    }

    @Test func `a request for consumption information that was missed is answered within twelve hours, and not later`() async throws {
        for (hours, count) in [(Int64(11), 1), (13, 0)] {
            try await ConnectedShop.open(change: Self.consenting) { shop in
                let bought = try await shop.buy(.credits)
                // Nothing receives the notification.
                try await shop.requestRefund(of: bought)
                try await shop.pass(seconds: hours * 3_600)
                try await shop.reconcile()
                #expect(try await shop.waitingRequests().count == count)
            }
        }
    }

    @Test func `an answer that is not accepted within twelve hours is discarded`() async throws {
        let log = RecordingLog()
        try await ConnectedShop.open(logger: log.logger, change: Self.consenting) { shop in
            try await shop.receivingNotifications {
                try await shop.requestRefund(of: try await shop.buy(.credits))
                try await shop.pass(seconds: 12 * 3_600)
                try await #require(shop.app.appStore).requests.sendDue()
                #expect(try await shop.waitingRequests().isEmpty)
                #expect(log.lines(.error).contains { $0.contains("discarded") && $0.contains("expired") })
            }
        }
    }

    @Test func `a request that a stopped process was sending is sent by the next process`() async throws {
        try await TemporaryFolder.with { folder in
            try await ConnectedShop.open(database: .file(folder.file("server.sqlite").path()), change: Self.consenting) { shop in
                try await shop.receivingNotifications {
                    try await shop.requestRefund(of: try await shop.buy(.credits))
                    // A process claims the request, and stops.
                    var claimed = try #require(try await shop.waitingRequests().first)
                    claimed.dueAt = shop.clock.now.adding(seconds: 300)
                    try await shop.app.storage.write(.test) { [claimed] in try $0.put(claimed) }
                    let next = try #require(try await shop.restarted().appStore).requests
                    try await next.sendDue()
                    #expect(try await shop.consumption() == nil)
                    shop.clock.advance(seconds: 300)
                    try await next.sendDue()
                    // Nothing is consumed, so no prorated refund can be preferred.
                    #expect(try await shop.consumption()?.consumptionPercentage == 0)
                    #expect(try await shop.consumption()?.refundPreference == nil)
                }
            }
        }
    }

    @Test(arguments: FinishingMode.allCases)
    func `a consumable is finished after its credits were added, if it is configured`(_ mode: FinishingMode) async throws {
        try await ConnectedShop.open(change: Shop.Change { $0.finishing = mode }) { shop in
            try await shop.buy(.credits)
            try await shop.buy(.book)
            #expect(try await shop.device.unfinishedTransactions().count == 2)
            try await #require(shop.app.appStore).requests.sendDue()
            let unfinished = try await shop.device.unfinishedTransactions().map(\.productId)
            #expect(Set(unfinished) == (mode == .consumables ? [.book] : [.book, .credits]))
            #expect(try await shop.waitingRequests().isEmpty)
        }
    }

    @Test(arguments: [
        (Int64(5), Int64(5), Int64(0), Int32(0)), (5, 3, 0, 40_000), (5, 0, 0, 100_000), (5, -5, 0, 100_000), (5, 8, 5, 40_000),
        (5, 5, 5, 100_000), (3, 2, 0, 33_333), (5, 9, 0, 0), (0, 0, 0, 0), (.max, 0, 0, 100_000), (5, .min, .max, 100_000),
    ])
    func `the consumed share assumes that the oldest credits are spent first`(
        _ credits: Int64, _ balance: Int64, _ later: Int64, _ share: Int32
    ) {
        #expect(ConsumptionPolicy.consumedShare(of: credits, balance: balance, later: later) == share)
    }

    private typealias Case = (
        ProductType, isDelivered: Bool, consumed: Int32?, ConsumptionPolicy.Preference, percentage: Int32?,
        ConsumptionRequest.RefundPreference?
    )
    private static let answers: [Case] = [
        (.consumable, true, 40_000, .grantProrated, 40_000, .grantProrated), (.consumable, true, 0, .grantProrated, 0, nil),
        (.consumable, true, 100_000, .grantProrated, 100_000, nil), (.consumable, false, 40_000, .grantFull, 0, .grantFull),
        (.nonConsumable, true, nil, .decline, nil, .decline), (.autoRenewable, true, 40_000, .grantProrated, nil, .grantProrated),
        (.consumable, true, 40_000, .none, 40_000, nil),
    ]

    @Test(arguments: answers.indices) func `the App Store accepts every answer`(_ index: Int) throws {
        let (type, isDelivered, consumed, preference, percentage, expected) = Self.answers[index]
        let policy = ConsumptionPolicy(consent: .all, preference: preference, sample: .yes)
        let answer = policy.answer(about: type, isDelivered: isDelivered, consumed: consumed)
        #expect(answer.consumptionPercentage == percentage && answer.refundPreference == expected && answer.sampleContentProvided)
        #expect(answer.deliveryStatus == (isDelivered ? .delivered : .other))
        #expect(try ConsumptionRequest(json: WireJSON.encode(answer), about: type) == answer)
    }

    @Test(arguments: [(1, Int64(60)), (2, 120), (6, 1_920), (7, 3_600), (1_000, 3_600), (0, 60)])
    func `a failed request is sent again less and less often`(_ attempt: Int, _ seconds: Int64) {
        #expect(AppStoreRequest.pause(afterAttempt: attempt) == seconds)
    }
}

extension ConnectedShop {
    /// Requests a refund for the store's customer; the store requests consumption information from the server.
    fileprivate func requestRefund(of transaction: TransactionPayload) async throws {
        _ = try await store.call(ControlEndpoints.requestRefund, RefundRequest(transactionID: transaction.transactionId))
    }

    /// The consumption information that the store received about the first refund request.
    fileprivate func consumption() async throws -> ConsumptionRequest? {
        let request = try await store.call(ControlEndpoints.refundRequests, Empty()).requests.first
        return try request?.consumption.map { try WireJSON.decode(ConsumptionRequest.self, from: WireJSON.encode($0)) }
    }

    /// The requests that wait to be sent.
    fileprivate func waitingRequests() async throws -> [AppStoreRequest] {
        try await app.storage.read(.test) { try $0.requests(dueAt: Timestamp(milliseconds: .max), limit: 10) }
    }
}
