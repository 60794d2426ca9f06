import Foundation
import PurchaseModel
import PurchaseProof
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

struct FamilyTests {
    /// Signs in Ada and Bob, two members of one family, on one device each.
    private static func family(_ harness: StoreHarness) async throws -> (ada: SignedInDevice, bob: SignedInDevice) {
        let ada = try await harness.signIn()
        let bob = try await harness.signIn("bob@example.com", device: .second)
        for phone in [ada, bob] {
            try await harness.set(phone.account) { $0.family = "lovelace" }
        }
        return (ada, bob)
    }

    @Test func `a purchase is shared with the family and charged once`() async throws {
        try await StoreHarness.run { harness in
            let (ada, bob) = try await Self.family(harness)
            let book = try await ada.buy(.book)
            let shared = try #require(try await bob.unfinishedTransactions().first)
            #expect(shared.productId == .book)
            #expect(shared.inAppOwnershipType == Ownership.familyShared.rawValue)
            #expect(shared.transactionId != book.transactionId)
            #expect(shared.appTransactionId != book.appTransactionId)
            #expect(try await harness.charges(of: bob.account).isEmpty)
            #expect(try await harness.charges().count == 1)
            // Consumables are not shared.
            _ = try await ada.buy(.credits)
            #expect(try await bob.unfinishedTransactions().count == 1)
        }
    }

    @Test func `joining a family grants its purchases, and leaving or a refund revokes them`() async throws {
        try await StoreHarness.run { harness in
            let ada = try await harness.signIn()
            let bob = try await harness.signIn("bob@example.com", device: .second)
            let book = try await ada.buy(.book)
            #expect(try await bob.unfinishedTransactions().isEmpty)
            for phone in [ada, bob] {
                try await harness.set(phone.account) { $0.family = "lovelace" }
            }
            #expect(try await bob.unfinishedTransactions().map(\.revocationDate) == [nil])
            try await harness.set(bob.account) { $0.family = "" }
            #expect(try await bob.unfinishedTransactions().first?.revocationType == RevocationType.familyRevoke.rawValue)
            try await harness.set(bob.account) { $0.family = "lovelace" }
            try await harness.refund(book.transactionId)
            let all = try await bob.unfinishedTransactions()
            #expect(all.allSatisfy { $0.revocationDate != nil })
            #expect(
                try await harness.notificationTypes() == [
                    "ONE_TIME_CHARGE", "ONE_TIME_CHARGE", "REVOKE", "ONE_TIME_CHARGE", "REFUND", "REVOKE",
                ])
        }
    }

    @Test func `disabling purchase sharing revokes the family's access until it is enabled again`() async throws {
        try await StoreHarness.run { harness in
            let (ada, bob) = try await Self.family(harness)
            _ = try await ada.buy(.book)
            try await harness.set(ada.account) { $0.sharesPurchases = false }
            #expect(try await bob.unfinishedTransactions().first?.revocationDate != nil)
            try await harness.set(ada.account) { $0.sharesPurchases = true }
            let both = try await bob.unfinishedTransactions()
            #expect(both.map { $0.revocationDate == nil } == [false, true])
        }
    }

    @Test func `a shareable subscription renews and ends for the whole family`() async throws {
        try await StoreHarness.run(storekit: Self.shareable) { harness in
            let (ada, bob) = try await Self.family(harness)
            let first = try await ada.buy(.magazine)
            try await harness.advance(days: 31)
            let copies = try await bob.unfinishedTransactions()
            #expect(copies.count == 2)
            #expect(Set(copies.map(\.originalTransactionId)).count == 1)
            #expect(copies.allSatisfy { $0.price == nil && $0.inAppOwnershipType == "FAMILY_SHARED" })
            #expect(try await harness.charges(of: bob.account).isEmpty)
            let newest = try #require(try await ada.unfinishedTransactions().last)
            #expect(newest.originalTransactionId == first.transactionId)
            #expect(newest.expiresDate == copies.last?.expiresDate)
            try await harness.refund(newest.transactionId)
            #expect(try await bob.unfinishedTransactions().last?.revocationType == RevocationType.familyRevoke.rawValue)
            let statuses = try await harness.call(
                ControlEndpoints.subscriptions, Empty(), ["account": bob.account.rawValue]
            ).subscriptions.map(\.status)
            #expect(statuses == [.revoked])
        }
    }

    @Test func `a former family member gets no later renewals or purchases`() async throws {
        try await StoreHarness.run(storekit: Self.shareable) { harness in
            let (ada, bob) = try await Self.family(harness)
            let first = try await ada.buy(.magazine)
            try await harness.set(bob.account) { $0.family = "" }
            let lost = try await bob.unfinishedTransactions()
            #expect(lost.map(\.revocationType) == [RevocationType.familyRevoke.rawValue])
            try await harness.perform(SubscriptionRequest(.disableAutoRenew), on: first.transactionId)
            try await harness.advance(days: 40)
            _ = try await ada.buy(.magazine)
            try await harness.advance(days: 31)
            #expect(try await bob.unfinishedTransactions().map(\.transactionId) == lost.map(\.transactionId))
            // After rejoining, Bob has the current period and its renewal.
            try await harness.set(bob.account) { $0.family = "lovelace" }
            try await harness.advance(days: 31)
            let shared = try await bob.unfinishedTransactions().dropFirst(lost.count)
            #expect(Set(shared.map(\.originalTransactionId)).count == 1 && shared.count == 2)
        }
    }

    /// Introductory offers in the format of a `.storekit` file.
    private static let introductions = [
        #""paymentMode" : "free", "subscriptionPeriod" : "P1W""#,
        #""paymentMode" : "payUpFront", "subscriptionPeriod" : "P3M", "displayPrice" : "1.99""#,
        #""paymentMode" : "payAsYouGo", "subscriptionPeriod" : "P1M", "numberOfPeriods" : 3, "displayPrice" : "0.99""#,
    ]

    @Test(arguments: introductions)
    func `a shared introductory offer has the offer and dates of the purchaser and ends with it`(_ offer: String) async throws {
        let storekit = Self.shareable.replacing(
            "\"recurringSubscriptionPeriod\" : \"P1M\", \"groupNumber\" : 1, \"subscriptionGroupID\"",
            with: """
                "recurringSubscriptionPeriod" : "P1M", "groupNumber" : 1, "introductoryOffer" : { "internalID" : "A1", \(offer) },
                "subscriptionGroupID"
                """
        )
        try await StoreHarness.run(storekit: storekit) { harness in
            let (ada, bob) = try await Self.family(harness)
            let first = try await ada.buy(.magazine)
            #expect(first.offerType == OfferType.introductory.rawValue)
            func compare(_ familyMembers: [SignedInDevice]) async throws {
                let newest = try #require(try await ada.unfinishedTransactions().last)
                let purchase = try #require(try await harness.verifyReceipt(try await ada.receipt()).latestReceiptInfo?.first)
                #expect(newest.expiresDate.map { $0 > harness.store.clock.now } == true)
                for familyMember in familyMembers {
                    let copy = try #require(try await familyMember.unfinishedTransactions().last)
                    #expect(copy.inAppOwnershipType == "FAMILY_SHARED" && copy.price == nil)
                    #expect(copy.purchaseDate == newest.purchaseDate && copy.expiresDate == newest.expiresDate)
                    #expect(copy.offerType == newest.offerType && copy.offerDiscountType == newest.offerDiscountType)
                    let shared = try #require(try await harness.verifyReceipt(try await familyMember.receipt()).latestReceiptInfo?.first)
                    #expect(shared.ownershipType == "FAMILY_SHARED" && shared.expiresDate == purchase.expiresDate)
                    #expect(shared.isTrialPeriod == purchase.isTrialPeriod && shared.isInIntroOfferPeriod == purchase.isInIntroOfferPeriod)
                }
                let path = ["account": (familyMembers.last ?? ada).account.rawValue]
                let copy = try #require(try await harness.call(ControlEndpoints.subscriptions, Empty(), path).subscriptions.first)
                #expect(copy.status == .active && copy.renewalInfo.renewalDate == newest.expiresDate)
            }
            try await compare([bob])
            let trial = try await harness.verifyReceipt(try await bob.receipt()).latestReceiptInfo?.first
            #expect(trial?.isTrialPeriod == offer.contains("free"))
            #expect(trial?.isInIntroOfferPeriod == !offer.contains("free"))

            try await harness.advance(days: 2)
            let cleo = try await harness.signIn("cleo@example.com", device: "22223333-4444-5555-6666-777788889999")
            try await harness.set(cleo.account) { $0.family = "lovelace" }
            try await compare([bob, cleo])
            for _ in 0..<12 {
                try await harness.advance(days: 11)
                try await compare([bob, cleo])
            }
            try await harness.perform(SubscriptionRequest(.disableAutoRenew), on: first.transactionId)
            try await harness.advance(days: 40)
            let expired = try await harness.notifications().filter { $0.notification.payload.notificationType == "EXPIRED" }
            #expect(expired.count == 3)
            let ends = expired.compactMap(\.transaction?.payload.expiresDate)
            #expect(ends == expired.map(\.notification.payload.signedDate) && Set(ends).count == 1)
        }
    }

    private static let shareable = TestCatalog.storekit.replacing(
        "\"productID\" : \"com.example.monkeyshop.magazine\", ",
        with: "\"familyShareable\" : true, \"productID\" : \"com.example.monkeyshop.magazine\", "
    )
}
