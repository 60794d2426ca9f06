import Foundation
import GRDB
import PurchaseModel
import PurchaseProof
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import OpenStoreKit

/// Purchases that StoreKit's sheets make: offer code redemptions and subscription changes, in both StoreKit APIs.
@Suite struct SheetPurchaseTests {
    /// The StoreKit version that shows the redemption sheet.
    enum StoreKitVersion: CaseIterable {
        case one, two

        /// Shows the redemption sheet and waits until it is closed.
        ///
        /// - Returns: The failure that StoreKit 2 throws; always nil in StoreKit 1.
        func redeem(on device: Device) async -> PaymentFailure? {
            switch self {
            case .one: device.paymentQueue.presentCodeRedemptionSheet()
            case .two:
                do {
                    try await device.redeemOfferCode()
                } catch {
                    await device.waitUntilIdle()
                    return error as? PaymentFailure
                }
            }
            await device.waitUntilIdle()
            return nil
        }
    }

    private func phone() async throws -> (Phone, Device) {
        let phone = try await Phone(at: OfferCodeStore.start())
        return (phone, try await phone.launch(finishing: false).device)
    }

    private func idempotencyKeys(on phone: Phone) throws -> Int? {
        try Journal(path: phone.journal).database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM idempotencyKey") }
    }

    @Test(arguments: StoreKitVersion.allCases, [FaultyTransport.Fault.lostReply, .duplicated])
    func `an offer code is redeemed once despite a lost or duplicated reply, and is an update`(
        _ version: StoreKitVersion, _ fault: FaultyTransport.Fault
    ) async throws {
        let (phone, device) = try await phone()
        phone.user.script(offerCodes: [OfferCodeStore.code])
        phone.transport.fail(DeviceEndpoints.redeem, fault)
        var updates = device.updates().makeAsyncIterator()
        #expect(await version.redeem(on: device) == nil)
        let bought = try await device.session.verify(try #require(await updates.next())).payload
        #expect(bought.offerIdentifier == OfferCodeStore.code)
        #expect(device.paymentQueue.transactions.map(\.transactionIdentifier) == [bought.transactionId.rawValue])
        #expect(try await phone.charges.map(\.transactionID) == [bought.transactionId])
        #expect(!phone.user.shown.contains { if case .offerCodeRefused = $0 { true } else { false } })
        #expect(try idempotencyKeys(on: phone) == 0)
    }

    @Test func `a redemption with options returns the verified transaction, which is also an update`() async throws {
        let (phone, device) = try await phone()
        phone.user.script(offerCodes: [OfferCodeStore.code])
        var updates = device.updates().makeAsyncIterator()
        let redeemed = try await device.redeemOfferCode(options: []).payloadValue
        #expect(redeemed.offer?.id == OfferCodeStore.code && redeemed.offer?.type == .code)
        let update = try await device.session.verify(try #require(await updates.next())).payload
        #expect(String(redeemed.id) == update.transactionId.rawValue)
    }

    @Test(arguments: StoreKitVersion.allCases)
    func `entering an offer code again after a lost reply redeems it once, also after a relaunch`(_ version: StoreKitVersion) async throws {
        let (phone, device) = try await phone()
        phone.user.script(offerCodes: [OfferCodeStore.code, OfferCodeStore.code, OfferCodeStore.code])
        phone.transport.fail(DeviceEndpoints.redeem, .lostReply, .lostReply, .lostReply, .lostReply)
        for _ in 1...2 {
            let error = await version.redeem(on: device)
            if version == .two { #expect(error == PaymentFailure(WireClientError.unreachable)) }
            guard case .offerCodeRefused(OfferCodeStore.code, let reason)? = phone.user.shown.last else { throw CancellationError() }
            #expect(reason == "Cannot connect to the App Store.")
        }
        // The store redeemed the code, and the device receives the transaction without the reply.
        let charges = try await phone.charges
        #expect(charges.count == 1)
        #expect(device.paymentQueue.transactions.map(\.transactionIdentifier) == charges.map(\.transactionID.rawValue))
        // After the expiration, a second redemption would be a second purchase.
        try await phone.harness.perform(SubscriptionRequest(.expire), on: try #require(charges.first).transactionID)
        let (next, _) = try await phone.launch(finishing: false)
        #expect(await version.redeem(on: next) == nil)
        #expect(try await phone.charges == charges)
        #expect(phone.transport.count(DeviceEndpoints.redeem) == 5)
        // A reply removes the idempotency key, so the next redemption is a new one.
        #expect(try idempotencyKeys(on: phone) == 0)
        phone.user.script(offerCodes: [OfferCodeStore.code])
        #expect(await version.redeem(on: next) == nil)
        #expect(try await phone.charges.map(\.amount.milliunits) == [990, 990])
    }

    @Test(arguments: StoreKitVersion.allCases) func `the sheet shows why an offer code was refused`(_ version: StoreKitVersion) async throws
    {
        let (phone, device) = try await phone()
        phone.user.script(offerCodes: ["NONSENSE"])
        let error = await version.redeem(on: device)
        #expect((error == nil) == (version == .one))
        guard case .offerCodeRefused("NONSENSE", let reason)? = phone.user.shown.last else { throw CancellationError() }
        #expect(!reason.isEmpty)
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(try idempotencyKeys(on: phone) == 0)
    }

    @Test(arguments: StoreKitVersion.allCases) func `canceling the redemption sheet or the sign-in sends no request`(
        _ version: StoreKitVersion
    ) async throws {
        let (phone, device) = try await phone()
        phone.user.script(offerCodes: [nil, OfferCodeStore.code])
        phone.user.script(signIns: [nil])
        #expect(await version.redeem(on: device) == nil)
        let error = await version.redeem(on: device)
        #expect((error == nil) == (version == .one))
        #expect(phone.transport.count(DeviceEndpoints.redeem) == 0)
        #expect(phone.user.shown.filter { $0 == .offerCode }.count == 2)
        #expect(phone.user.shown.count == 3)
    }

    @Test(arguments: [[FaultyTransport.Fault.lostReply], [.duplicated], [.lostReply, .lostReply]])
    func `a subscription changes once despite a lost or duplicated reply`(_ faults: [FaultyTransport.Fault]) async throws {
        let (phone, device) = try await phone()
        device.paymentQueue.add(Phone.payment(SampleProduct.magazine))
        await device.waitUntilIdle()
        let magazine = try #require(device.paymentQueue.transactions.first?.transactionIdentifier)
        for fault in faults { phone.transport.fail(DeviceEndpoints.manageSubscription, fault) }
        var error: PaymentFailure?
        for _ in 1...2 {
            phone.user.script(changes: [.change(TransactionID(magazine), to: OfferCodeStore.gold)])
            error = nil
            do { try await device.showManageSubscriptions() } catch let failure { error = failure as? PaymentFailure }
            await device.waitUntilIdle()
            if error == nil { break }
        }
        #expect(error == nil)
        // Negative amounts are the refund for the rest of the current period.
        let paid = try await phone.charges.filter { $0.amount.milliunits > 0 }
        #expect(paid.map(\.productID) == [SampleProduct.magazine, OfferCodeStore.gold])
        #expect(device.paymentQueue.transactions.map(\.payment.productIdentifier).contains(OfferCodeStore.gold.rawValue))
        #expect(try idempotencyKeys(on: phone) == 0)
    }

    @Test(arguments: [(FaultyTransport.Fault.lostReply, 2), (.duplicated, 1)])
    func `auto-renew is disabled once despite a lost or duplicated reply`(
        _ fault: FaultyTransport.Fault, _ calls: Int
    ) async throws {
        let (phone, device) = try await phone()
        device.paymentQueue.add(Phone.payment(SampleProduct.magazine))
        await device.waitUntilIdle()
        let magazine = TransactionID(try #require(device.paymentQueue.transactions.first?.transactionIdentifier))
        phone.transport.fail(DeviceEndpoints.manageSubscription, fault)
        phone.user.script(changes: [.disableAutoRenew(magazine)])
        try await Device.$current.withValue(device) {
            try await device.showManageSubscriptions()
            let status = try await Product.SubscriptionInfo.status(transactionID: #require(UInt64(magazine.rawValue)))
            #expect(status?.renewalInfo.unsafePayloadValue.willAutoRenew == false)
        }
        #expect(phone.transport.count(DeviceEndpoints.manageSubscription) == calls)
    }
}
