import Foundation
import FoundationExtras
import PrivateFiles
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

@Suite struct SubscriptionStateRecordTests {
    @Test(arguments: UInt64(0)..<100) func `a subscription in any state is read as it was stored`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let timeRate = SubscriptionTimeRate.allCases.randomElement(using: &random) ?? .realTime
        var rules = SubscriptionRules(timeRate: timeRate, billingGracePeriodIsEnabled: Bool.random(using: &random))
        rules.chargeAhead = RandomSubscription.chargeAhead(&random)
        var subscription = try Sample.subscription(
            rules: rules,
            ownership: seed % 5 == 0 ? .familyShared : .purchased)
        var clock = Sample.start
        var states: Set<String> = []
        for _ in 0..<150 {
            let event = try RandomSubscription.event(&random, subscription)
            _ = subscription.handle(event, at: RandomSubscription.time(&random, near: subscription, &clock))
            let stored = try WireJSON.encode(SubscriptionStateRecord(subscription))
            let record = try WireJSON.decode(SubscriptionStateRecord.self, from: stored)
            #expect(try record.value() == subscription)
            states.insert(record.state.name)
        }
        #expect(states.count > 1 || seed % 5 == 0)
    }

    @Test func `the stored format of version 1 does not change`() throws {
        var subscription = try Sample.subscription(
            offer: try Sample.offer(.introductory, .freeTrial, "P1W"), then: try Sample.offer(.code, .payAsYouGo, price: 990))
        subscription.appAccountToken = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
        subscription.appTransactionID = "700000000000000001"
        subscription.processDue(hasValidPaymentMethod: false)
        let record = SubscriptionStateRecord(subscription)
        let stored = String(decoding: try WireJSON.encode(record), as: UTF8.self)
        #expect(stored == Self.stored, "A changed name or value needs a new version that also reads the old version.")
        let read = try WireJSON.decode(SubscriptionStateRecord.self, from: Data(Self.stored.utf8))
        #expect(try read.value() == subscription)
    }

    @Test(arguments: [
        (#""version":1"#, #""version":2"#), (#""ownership":"PURCHASED""#, #""ownership":"LENT""#),
        (#""name":"gracePeriod""#, #""name":"asleep""#), (#""mode":"FREE_TRIAL""#, #""mode":"BARTER""#),
        (#""timeRate":0"#, #""timeRate":99"#),
    ])
    func `an unknown value is refused`(_ known: String, _ unknown: String) throws {
        let text = Self.stored.replacing(known, with: unknown)
        try #require(text != Self.stored)
        let record = try WireJSON.decode(SubscriptionStateRecord.self, from: Data(text.utf8))
        #expect(throws: UnreadableRecord.self) { try record.value() }
    }

    @Test func `the rules of new subscriptions are stored under these names, with a version`() throws {
        let stored = #"""
            {"rules":{"billingGracePeriodIsEnabled":true,"billingGracePeriodRequiresPaidPeriod":false,"billingRetryDays":60,\#
            "maximumServiceGap":5184000,"timeRate":0},"version":1}
            """#
        let rules = SubscriptionRules(timeRate: .realTime, billingGracePeriodIsEnabled: true)
        #expect(String(decoding: try WireJSON.encode(SubscriptionRulesRecord(rules)), as: UTF8.self) == stored)
        #expect(try WireJSON.decode(SubscriptionRulesRecord.self, from: Data(stored.utf8)).value() == rules)
        let unknown = stored.replacing(#""version":1"#, with: #""version":2"#)
        let record = try WireJSON.decode(SubscriptionRulesRecord.self, from: Data(unknown.utf8))
        #expect(throws: UnreadableRecord.self) { try record.value() }
    }

    /// The stored JSON, without line breaks.
    private static let stored = #"""
        {"appAccountToken":"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","appTransactionID":"700000000000000001",
        "autoRenews":true,"extensions":[],"handledUntil":1738931696000,"hasUsedIntroductoryOffer":true,
        "originalTransactionID":"1","ownership":"PURCHASED","paidUntil":1738931696000,"pendingOffer":{"eligibility":[],
        "id":"spring","isStackable":false,"mode":"PAY_AS_YOU_GO","period":"P1M","periodCount":1,
        "price":{"currency":"USD","milliunits":990},"type":3},"period":{"end":1738931696000,"number":1,
        "offer":{"eligibility":[],"isStackable":false,"mode":"FREE_TRIAL","period":"P1W","periodCount":1,
        "price":{"currency":"USD","milliunits":0},"type":1},"offerPeriod":1,"plan":{"level":2,"period":"P1M",
        "price":{"currency":"USD","milliunits":9990},"productID":"silver"},"price":{"currency":"USD","milliunits":0},
        "reason":"PURCHASE","start":1738326896000},"plan":{"level":2,"period":"P1M","price":{"currency":"USD",
        "milliunits":9990},"productID":"silver"},"recentSubscriptionStartDate":1738326896000,"renewals":0,
        "rules":{"billingGracePeriodIsEnabled":true,"billingGracePeriodRequiresPaidPeriod":false,"billingRetryDays":60,
        "maximumServiceGap":5184000,"timeRate":0},
        "state":{"name":"gracePeriod","retryUntil":1744115696000,"until":1740314096000},"version":1}
        """#.replacing("\n", with: "")
}
