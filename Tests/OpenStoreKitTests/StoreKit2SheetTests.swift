import Foundation
import PurchaseModel
import StoreKit
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing
import Wire

@testable import OpenStoreKit

/// StoreKit 2's sheets, and the requests that follow from the user's answers.
@Suite struct StoreKit2SheetTests {
    /// An interface with scripted answers that records the shown sheets.
    private final class SheetUser: StoreInterface {
        struct Answers {
            var reason: ConsumptionRequestReason?
            var change: (@Sendable (SubscriptionsSheet) -> SubscriptionsSheet.Change?)?
            var code: String?
            var consent: Bool?
        }

        let credentials: Credentials
        let answers = Mutex(Answers())
        let shown = Mutex<[String]>([])

        init(_ credentials: Credentials) {
            self.credentials = credentials
        }

        private func show(_ sheet: String) { shown.withLock { $0.append(sheet) } }

        func signIn() async -> Credentials? { credentials }
        func confirm(_ sheet: ConfirmationSheet) async -> Bool { true }

        func refundReason(_ sheet: RefundSheet) async -> ConsumptionRequestReason? {
            show("refund \(sheet.productID)")
            return answers.withLock { $0.reason }
        }

        func manage(_ sheet: SubscriptionsSheet) async -> SubscriptionsSheet.Change? {
            show("manage \(sheet.subscriptions.map { "\($0.productID) \($0.willAutoRenew)" })")
            return answers.withLock { $0.change }?(sheet)
        }

        func offerCode() async -> String? {
            show("code")
            return answers.withLock { $0.code }
        }

        func consent(to sheet: PriceConsentSheet) async -> Bool? {
            show("consent \(sheet.productID)")
            return answers.withLock { $0.consent }
        }
    }

    @Test func `a sync or refresh is reported only without a user gesture`() async throws {
        let phone = try await Phone()
        let reports = Mutex<[DeviceReport]>([])
        let device = try phone.launch { $0.report = { report in reports.withLock { $0.append(report) } } }
        try await Device.$current.withValue(device) {
            try await Device.withUserGesture {
                try await AppStore.sync()
                _ = try await AppTransaction.refresh()
            }
            #expect(reports.withLock { $0 }.isEmpty)
            try await AppStore.sync()
            _ = try await AppTransaction.refresh()
            _ = try await AppTransaction.shared
            #expect(reports.withLock { $0 } == [.restoreWithoutGesture, .refreshWithoutGesture])
        }
    }

    private func withSignedInDevice(_ body: (Phone, Device, SheetUser) async throws -> Void) async throws {
        let phone = try await Phone()
        let user = SheetUser(phone.credentials)
        let device = try phone.launch { $0.interface = user }
        try await Device.$current.withValue(device) { try await body(phone, device, user) }
    }

    private func buy(_ product: ProductID) async throws -> Transaction {
        let result = try await #require(try await Product.products(for: [product.rawValue]).first).purchase()
        guard case .success(.verified(let transaction)) = result else { throw StoreKitError.unknown }
        await transaction.finish()
        return transaction
    }

    @Test func `a refund request is sent once with the user's reason, and a canceled sheet sends none`() async throws {
        try await withSignedInDevice { _, device, user in
            let bought = try await buy(SampleProduct.sepia)
            #expect(try await device.beginRefundRequest(for: bought.id) == .userCancelled)
            user.answers.withLock { $0.reason = .unsatisfied }
            #expect(try await device.beginRefundRequest(for: bought.id) == .success)
            await #expect(throws: Device.RefundRequestError.duplicateRequest) { try await device.beginRefundRequest(for: bought.id) }
            await #expect(throws: Device.RefundRequestError.failed) { try await device.beginRefundRequest(for: 7) }
            #expect(user.shown.withLock { $0 }.prefix(3).allSatisfy { $0 == "refund \(SampleProduct.sepia)" })
        }
    }

    @Test func `a refund request without a network fails as unreachable`() async throws {
        try await withSignedInDevice { phone, device, user in
            let bought = try await buy(SampleProduct.sepia)
            user.answers.withLock { $0.reason = .other }
            phone.transport.set(offline: true)
            await #expect(throws: PaymentFailure(WireClientError.unreachable)) { try await device.beginRefundRequest(for: bought.id) }
        }
    }

    @Test func `canceling a subscription in the sheet disables auto-renew`() async throws {
        try await withSignedInDevice { _, device, user in
            let bought = try await buy(SampleProduct.magazine)
            try await device.showManageSubscriptions()
            #expect(try await bought.subscriptionStatus?.renewalInfo.payloadValue.willAutoRenew == true)
            user.answers.withLock { $0.change = { $0.subscriptions.first.map { .disableAutoRenew($0.transaction) } } }
            try await device.showManageSubscriptions(subscriptionGroupID: bought.subscriptionGroupID)
            await device.waitUntilIdle()
            #expect(try await bought.subscriptionStatus?.renewalInfo.payloadValue.willAutoRenew == false)
            try await device.showManageSubscriptions(subscriptionGroupID: "another")
            #expect(
                user.shown.withLock { $0 } == [
                    #"manage ["\#(SampleProduct.magazine) true"]"#, #"manage ["\#(SampleProduct.magazine) true"]"#, "manage []",
                ])
        }
    }

    @Test func `an unknown offer code throws, and a canceled sheet does not`() async throws {
        try await withSignedInDevice { _, device, user in
            try await device.redeemOfferCode()
            user.answers.withLock { $0.code = "NONSENSE" }
            await #expect(throws: PaymentFailure.self) { try await device.redeemOfferCode() }
            await #expect(throws: PaymentFailure.self) { try await device.redeemOfferCode(options: []) }
            #expect(user.shown.withLock { $0 } == ["code", "code", "code"])
            user.answers.withLock { $0.code = nil }
            await #expect(throws: StoreKitError.self) { try await device.redeemOfferCode(options: []) }
        }
    }

    @Test func `the user's answer to a price increase is sent to the store`() async throws {
        try await withSignedInDevice { phone, device, user in
            let bought = try await buy(SampleProduct.magazine)
            var messages = Message.messages.makeAsyncIterator()
            let priceIncrease = SubscriptionRequest(.increasePriceWithConsent, price: 4990)
            try await phone.harness.perform(priceIncrease, on: TransactionID("\(bought.originalID)"))
            device.engine.inbox.submit(.retry)
            let message = try #require(await messages.next())
            #expect(message.reason == .priceIncreaseConsent)
            #expect(try await bought.subscriptionStatus?.renewalInfo.payloadValue.priceIncreaseStatus == .pending)
            // An unanswered sheet is shown again; an answered sheet is not.
            await device.showPriceConsent()
            user.answers.withLock { $0.consent = true }
            await device.showPriceConsent()
            await device.showPriceConsent()
            await device.waitUntilIdle()
            #expect(try await bought.subscriptionStatus?.renewalInfo.payloadValue.priceIncreaseStatus == .agreed)
            #expect(user.shown.withLock { $0 } == ["consent \(SampleProduct.magazine)", "consent \(SampleProduct.magazine)"])
        }
    }

    @Test func `simulated failures apply to sheets`() async throws {
        try await withSignedInDevice { _, device, user in
            let bought = try await buy(SampleProduct.sepia)
            device.simulatedFailures.set(Transaction.RefundRequestError.failed, for: .refundRequest)
            device.simulatedFailures.set(StoreKitError.unknown, for: .manageSubscriptions)
            device.simulatedFailures.set(StoreKitError.unknown, for: .offerCodeRedeem)
            await #expect(throws: Transaction.RefundRequestError.failed) { try await device.beginRefundRequest(for: bought.id) }
            await #expect(throws: StoreKitError.self) { try await device.showManageSubscriptions() }
            await #expect(throws: StoreKitError.self) { try await device.redeemOfferCode() }
            #expect(user.shown.withLock { $0 }.isEmpty)
        }
    }
}
