import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProtocol
import StoreKit
import StoreTestSupport
import Testing
import WireClient

@testable import OpenStoreKit

/// What the store wants the app to hear once: it is told first and remembered afterwards.
@Suite struct TellingTests {
    private static let promotion = PromotedPurchase(id: 1, productID: MonkeyShopProduct.sepia, offerID: nil)
    private static let message = StoreMessage(
        id: "m", reason: .billingIssue, productID: MonkeyShopProduct.magazine, originalTransactionID: "1")

    /// A phone whose store has something to say to its account, always the same.
    private func phone(_ promotions: [PromotedPurchase] = [], _ messages: [StoreMessage] = []) async throws -> TestPhone {
        let phone = try await TestPhone()
        phone.line.answer(DeviceEndpoints.unfinished) { _ in
            var reply = UnfinishedReply(transactions: [], declined: [], promotions: promotions)
            reply.messages = messages
            return .success(reply)
        }
        let device = try phone.launch()
        try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        return phone
    }

    private func isRemembered(_ name: String, on phone: TestPhone) throws -> Bool {
        try Journal(path: phone.journal).isRemembered(DeliveryID(name: name, account: phone.account))
    }

    @Test func `what an iteration had in hand when the app crashed is told again, until the app has dealt with it`() async throws {
        let phone = try await phone([Self.promotion], [Self.message])
        for _ in 1...2 {
            let device = try phone.launch()
            await Device.$current.withValue(device) {
                var messages = Message.messages.makeAsyncIterator()
                var intents = PurchaseIntent.intents.makeAsyncIterator()
                #expect(await messages.next()?.reason == .billingIssue)
                #expect(await intents.next()?.id == MonkeyShopProduct.sepia.rawValue)
                await device.settle()
                // The crash: nothing that is done from here on reaches the disk.
                device.engine.close()
            }
            #expect(try !isRemembered("message-m", on: phone) && !isRemembered("promotion-1", on: phone))
        }
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            for await message in Message.messages {
                #expect(message.reason == .billingIssue)
                break
            }
            let listening = Task {
                for await intent in PurchaseIntent.intents { #expect(intent.id == MonkeyShopProduct.sepia.rawValue) }
            }
            while try !isRemembered("promotion-1", on: phone) { await Task.yield() }
            listening.cancel()
            await device.settle()
        }
        #expect(try isRemembered("message-m", on: phone))
        // From now on nothing comes, and whoever listens later in a launch is not told what another has taken.
        let next = try phone.launch()
        await next.settle()
        next.wake()
        await next.settle()
        #expect(next.engine.news.messages.kept.isEmpty && next.engine.news.promotions.kept.isEmpty)
    }

    @Test func `what nobody has taken waits for whoever listens, however many began to listen before`() async throws {
        let phone = try await phone([], [Self.message])
        let device = try phone.launch()
        await Device.$current.withValue(device) {
            _ = Message.messages.makeAsyncIterator()
            device.wake()
            await device.settle()
            var second = Message.messages.makeAsyncIterator()
            #expect(await second.next()?.reason == .billingIssue)
        }
        #expect(device.engine.news.messages.kept.isEmpty)
    }

    @Test func `what was told to one account's user is not told to another's, and comes again with the account`() async throws {
        let phone = try await phone([], [Self.message])
        let device = try phone.launch()
        device.wake()
        await device.engine.ready()
        await device.settle()
        #expect(device.engine.news.messages.kept.count == 1)
        try await device.signOut()
        #expect(device.engine.news.messages.kept.isEmpty)
        try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        await device.settle()
        #expect(device.engine.news.messages.kept.count == 1)
    }

    @Test func `what waits for one account's user is not put to another's by the queue`() async throws {
        let question = StoreMessage(
            id: "q", reason: .priceIncreaseConsent, productID: MonkeyShopProduct.magazine, originalTransactionID: "1")
        let phone = try await phone([Self.promotion], [question])
        let device = try phone.launch()
        let delegate = QueueObserver(showsConsent: false)
        device.paymentQueue.delegate = delegate
        let witness = Witness()
        device.paymentQueue.add(witness)
        await device.settle()
        #expect(delegate.heard == ["consent"])
        phone.line.answer(DeviceEndpoints.unfinished) { _ in .success(UnfinishedReply(transactions: [], declined: [])) }
        try await device.signOut()
        let other = try await phone.harness.openAccount()
        try await device.signIn(Credentials(account: other, password: "ladder"))
        device.paymentQueue.add(delegate)
        device.paymentQueue.showPriceConsentIfNeeded()
        await device.settle()
        #expect(!delegate.heard.contains { $0.hasPrefix("promoted") })
        #expect(!phone.user.shown.contains { if case .priceConsent = $0 { true } else { false } })
    }

    @Test func `an observer without the method was not asked, and one that comes later is`() async throws {
        let phone = try await phone([Self.promotion])
        do {
            let (device, _) = try await phone.launch(finishing: false)
            await device.settle()
        }
        #expect(try !isRemembered("promotion-1", on: phone))
        do {
            let (device, _) = try await phone.launch(finishing: false)
            let observer = QueueObserver()
            device.paymentQueue.add(observer)
            await device.settle()
            #expect(observer.heard == ["promoted \(MonkeyShopProduct.sepia) Sepia filter"])
        }
        #expect(try isRemembered("promotion-1", on: phone))
        let device = try phone.launch()
        let observer = QueueObserver()
        device.paymentQueue.add(observer)
        await device.settle()
        #expect(observer.heard.isEmpty)
    }

    @Test func `an app that says yes twice, because a crash had it asked twice, has bought once`() async throws {
        let phone = try await phone()
        let device = try phone.launch()
        #expect(device.account == phone.account)
        let observer = QueueObserver(wantsPromotion: true)
        device.paymentQueue.add(observer)
        let promotion = PromotedPurchase(id: 1, productID: MonkeyShopProduct.credits5, offerID: nil)
        let pendingDeliveries = PendingDelivery(value: promotion, deliveryID: DeliveryID(name: "promotion-1", account: phone.account))
        for _ in 1...2 {
            device.paymentQueue.receive(.promoted(pendingDeliveries))
            await device.settle()
        }
        #expect(observer.heard.count { $0.hasPrefix("promoted") } == 2)
        #expect(try await phone.charges.count == 1)
    }

    @Test(arguments: [nil, true]) func `a question about a price was put when the user has seen it`(_ agrees: Bool?) async throws {
        let question = StoreMessage(
            id: "q", reason: .priceIncreaseConsent, productID: MonkeyShopProduct.magazine, originalTransactionID: "1")
        let phone = try await phone([], [question])
        phone.user.script(consents: [agrees, agrees])
        let delegate = QueueObserver(showsConsent: false)
        let device = try phone.launch()
        device.paymentQueue.delegate = delegate
        device.paymentQueue.add(delegate)
        await device.settle()
        #expect(delegate.heard == ["consent"])
        #expect(try !isRemembered("message-q", on: phone))
        device.paymentQueue.showPriceConsentIfNeeded()
        await device.settle()
        // An answer that the store does not take is none: it is asked again.
        #expect(try isRemembered("message-q", on: phone) == (agrees == nil))
    }
}
