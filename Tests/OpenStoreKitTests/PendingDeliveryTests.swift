import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing

@testable import OpenStoreKit

/// Messages and promoted purchases, which are acknowledged only after the app received them.
@Suite struct PendingDeliveryTests {
    private static let promotion = PromotedPurchase(id: 1, productID: SampleProduct.sepia, offerID: nil)
    private static let message = StoreMessage(
        id: "m", reason: .billingIssue, productID: SampleProduct.magazine, originalTransactionID: "1")

    /// A signed-in phone whose store always returns the same promoted purchases and messages.
    private func phone(_ promotions: [PromotedPurchase] = [], _ messages: [StoreMessage] = []) async throws -> Phone {
        let phone = try await Phone()
        phone.transport.answer(DeviceEndpoints.unfinished) { _ in
            var reply = UnfinishedReply(transactions: [], declined: [], promotions: promotions)
            reply.messages = messages
            return .success(reply)
        }
        _ = try await phone.launchSignedIn()
        return phone
    }

    private func isAcknowledged(_ name: String, on phone: Phone) throws -> Bool {
        try Journal(path: phone.journal).isAcknowledged(DeliveryID(name: name, account: phone.account))
    }

    @Test func `a message or intent that the app received before a crash is delivered again until it is processed`() async throws {
        let phone = try await phone([Self.promotion], [Self.message])
        for _ in 1...2 {
            let device = try phone.launch()
            await Device.$current.withValue(device) {
                var messages = Message.messages.makeAsyncIterator()
                var intents = PurchaseIntent.intents.makeAsyncIterator()
                #expect(await messages.next()?.reason == .billingIssue)
                #expect(await intents.next()?.id == SampleProduct.sepia.rawValue)
                await device.waitUntilIdle()
                // A closed engine simulates a crash: no later change reaches the disk.
                device.engine.close()
            }
            #expect(try !isAcknowledged("message-m", on: phone) && !isAcknowledged("promotion-1", on: phone))
        }
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            for await message in Message.messages {
                #expect(message.reason == .billingIssue)
                break
            }
            let listening = Task {
                for await intent in PurchaseIntent.intents { #expect(intent.id == SampleProduct.sepia.rawValue) }
            }
            try await eventually { try isAcknowledged("promotion-1", on: phone) }
            listening.cancel()
            await device.waitUntilIdle()
        }
        #expect(try isAcknowledged("message-m", on: phone))
        // Acknowledged messages and intents are not delivered again.
        let next = try phone.launch()
        await next.waitUntilIdle()
        next.wake()
        await next.waitUntilIdle()
        #expect(next.engine.deviceEvents.messages.kept.isEmpty && next.engine.deviceEvents.promotions.kept.isEmpty)
    }

    @Test func `an undelivered message waits for the next listener, even if earlier listeners ended`() async throws {
        let phone = try await phone([], [Self.message])
        let device = try phone.launch()
        await Device.$current.withValue(device) {
            _ = Message.messages.makeAsyncIterator()
            device.wake()
            await device.waitUntilIdle()
            var second = Message.messages.makeAsyncIterator()
            #expect(await second.next()?.reason == .billingIssue)
        }
        #expect(device.engine.deviceEvents.messages.kept.isEmpty)
    }

    @Test func `a pending message is dropped at sign-out and received again at the next sign-in`() async throws {
        let phone = try await phone([], [Self.message])
        let device = try phone.launch()
        device.wake()
        await device.engine.request { _ in }
        await device.waitUntilIdle()
        #expect(device.engine.deviceEvents.messages.kept.count == 1)
        try await device.signOut()
        #expect(device.engine.deviceEvents.messages.kept.isEmpty)
        try await device.signIn(phone.credentials)
        await device.waitUntilIdle()
        #expect(device.engine.deviceEvents.messages.kept.count == 1)
    }

    @Test func `the queue does not deliver one account's promotions and price consents to another account`() async throws {
        let message = StoreMessage(
            id: "q", reason: .priceIncreaseConsent, productID: SampleProduct.magazine, originalTransactionID: "1")
        let phone = try await phone([Self.promotion], [message])
        let device = try phone.launch()
        let delegate = QueueObserver(showsConsent: false)
        device.paymentQueue.delegate = delegate
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        await device.waitUntilIdle()
        #expect(delegate.callbacks == ["consent"])
        phone.transport.answer(DeviceEndpoints.unfinished) { _ in .success(UnfinishedReply(transactions: [], declined: [])) }
        try await device.signOut()
        let other = try await phone.harness.createAccount()
        try await device.signIn(Credentials(of: other))
        device.paymentQueue.add(delegate)
        device.paymentQueue.showPriceConsentIfNeeded()
        await device.waitUntilIdle()
        #expect(!delegate.callbacks.contains { $0.hasPrefix("promoted") })
        #expect(!phone.user.shown.contains { if case .priceConsent = $0 { true } else { false } })
    }

    /// A sheet that the user leaves open.
    enum OpenSheet: CaseIterable {
        case offerCode, confirmation, permission, signIn
    }

    /// A user who leaves a sheet open until the test closes it, and sees sheets for price increases.
    private struct UserWithOpenSheet: StoreInterface {
        let sheet: OpenSheet
        private let opened = AsyncStream.makeStream(of: Void.self)
        private let closed = AsyncStream.makeStream(of: Void.self)
        private let consented = AsyncStream.makeStream(of: Void.self)

        init(_ sheet: OpenSheet) { self.sheet = sheet }

        func waitForSheet() async { for await _ in opened.stream { return } }
        func waitForConsent() async { for await _ in consented.stream { return } }
        func close() { closed.continuation.finish() }

        private func leaveOpen() async {
            opened.continuation.yield()
            for await _ in closed.stream {}
        }

        func signIn() async -> Credentials? {
            await leaveOpen()
            return nil
        }

        func confirm(_ sheet: ConfirmationSheet) async -> Bool {
            guard self.sheet == .confirmation else { return true }
            await leaveOpen()
            return false
        }

        func askPermission(_ sheet: ConfirmationSheet) async -> Bool {
            await leaveOpen()
            return false
        }

        func offerCode() async -> String? {
            await leaveOpen()
            return nil
        }

        func consent(to sheet: PriceConsentSheet) async -> Bool? {
            consented.continuation.yield()
            return nil
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: OpenSheet.allCases)
    func `an open sheet delays no promotion, no price consent and no finished transaction`(_ sheet: OpenSheet) async throws {
        let message = StoreMessage(
            id: "q", reason: .priceIncreaseConsent, productID: SampleProduct.magazine, originalTransactionID: "1")
        let phone = try await Phone()
        _ = try await phone.launchSignedIn()
        try await phone.harness.buy(SampleProduct.moonlight, for: phone.account)
        // Enabled after the purchase, which a parent would otherwise have to approve.
        try await phone.harness.set(phone.account) { $0.askToBuyEnabled = sheet == .permission }
        let user = UserWithOpenSheet(sheet)
        let device = try phone.launch { $0.interface = user }
        let observer = QueueObserver()
        device.paymentQueue.add(observer)
        await observer.waitForCallback("purchased")
        if sheet == .signIn { try await device.signOut() }
        if sheet == .offerCode {
            device.paymentQueue.presentCodeRedemptionSheet()
        } else {
            device.paymentQueue.add(Phone.payment(SampleProduct.credits5))
        }
        await user.waitForSheet()
        if sheet != .signIn {
            for transaction in device.paymentQueue.transactions where transaction.transactionState == .purchased {
                device.paymentQueue.finishTransaction(transaction)
            }
            try await eventually { phone.transport.count(DeviceEndpoints.finish) == 1 }
        }
        phone.transport.answer(DeviceEndpoints.unfinished) { _ in
            var reply = UnfinishedReply(transactions: [], declined: [], promotions: [Self.promotion])
            reply.messages = [message]
            return .success(reply)
        }
        if sheet == .signIn { try await device.signIn(phone.credentials) } else { device.wake() }
        await observer.waitForCallback("promoted \(SampleProduct.sepia) Sepia filter")
        await user.waitForConsent()
        user.close()
        await device.waitUntilIdle()
    }

    @Test func `a message whose acknowledgment can't be written waits for the next listener`() async throws {
        let phone = try await phone([], [Self.message])
        let device = try phone.launch()
        device.wake()
        await device.engine.request { _ in }
        await device.waitUntilIdle()
        let message = try #require(device.engine.deviceEvents.messages.kept.first)
        try phone.execute("CREATE TRIGGER full BEFORE INSERT ON acknowledgment BEGIN SELECT RAISE(ABORT, 'full'); END")
        device.engine.inbox.submit(.acknowledge(message.deliveryID))
        await device.waitUntilIdle()
        #expect(device.engine.deviceEvents.messages.kept.count == 1)
        try phone.execute("DROP TRIGGER full")
        device.engine.inbox.submit(.acknowledge(message.deliveryID))
        await device.waitUntilIdle()
        #expect(device.engine.deviceEvents.messages.kept.isEmpty)
        #expect(try isAcknowledged("message-m", on: phone))
    }

    @Test func `a promotion waits for an observer that implements shouldAddStorePayment`() async throws {
        let phone = try await phone([Self.promotion])
        do {
            let (device, _) = try await phone.launch(finishing: false)
            await device.waitUntilIdle()
        }
        #expect(try !isAcknowledged("promotion-1", on: phone))
        do {
            let (device, _) = try await phone.launch(finishing: false)
            let observer = QueueObserver()
            device.paymentQueue.add(observer)
            await device.waitUntilIdle()
            #expect(observer.callbacks == ["promoted \(SampleProduct.sepia) Sepia filter"])
        }
        #expect(try isAcknowledged("promotion-1", on: phone))
        let device = try phone.launch()
        let observer = QueueObserver()
        device.paymentQueue.add(observer)
        await device.waitUntilIdle()
        #expect(observer.callbacks.isEmpty)
    }

    @Test func `a promoted purchase that is accepted twice after a crash is charged once`() async throws {
        let phone = try await phone()
        let device = try phone.launch()
        #expect(device.account == phone.account)
        let observer = QueueObserver(wantsPromotion: true)
        device.paymentQueue.add(observer)
        let promotion = PromotedPurchase(id: 1, productID: SampleProduct.credits5, offerID: nil)
        let pendingDelivery = PendingDelivery(value: promotion, deliveryID: DeliveryID(name: "promotion-1", account: phone.account))
        for _ in 1...2 {
            device.paymentQueue.receive(.promoted(pendingDelivery))
            await device.waitUntilIdle()
        }
        #expect(observer.callbacks.count { $0.hasPrefix("promoted") } == 2)
        #expect(try await phone.charges.count == 1)
    }

    @Test(arguments: [nil, true]) func `a price consent message is acknowledged when the user has seen the sheet`(_ consents: Bool?)
        async throws
    {
        let message = StoreMessage(
            id: "q", reason: .priceIncreaseConsent, productID: SampleProduct.magazine, originalTransactionID: "1")
        let phone = try await phone([], [message])
        phone.user.script(consents: [consents, consents])
        let delegate = QueueObserver(showsConsent: false)
        let device = try phone.launch()
        device.paymentQueue.delegate = delegate
        device.paymentQueue.add(delegate)
        await device.waitUntilIdle()
        #expect(delegate.callbacks == ["consent"])
        #expect(try !isAcknowledged("message-q", on: phone))
        device.paymentQueue.showPriceConsentIfNeeded()
        await device.waitUntilIdle()
        // An answer that the store refuses leaves the message unacknowledged.
        #expect(try isAcknowledged("message-q", on: phone) == (consents == nil))
    }
}
