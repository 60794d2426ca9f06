import Foundation
import GRDB
import MonkeyShop
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import StoreKit
import StoreTestSupport
import Testing
import WireClient

@testable import OpenStoreKit

/// Redeemed codes and changed plans: purchases that the system's own sheets make, for both StoreKits alike.
@Suite struct ErrandTests {
    /// Which StoreKit shows the sheet for a code.
    enum Kit: CaseIterable {
        case one, two

        /// Shows the sheet and waits until it is over; what is thrown where StoreKit 2 throws.
        func redeem(on device: Device) async -> PaymentFailure? {
            switch self {
            case .one: device.paymentQueue.presentCodeRedemptionSheet()
            case .two:
                do {
                    try await device.redeemOfferCode()
                } catch {
                    await device.settle()
                    return error as? PaymentFailure
                }
            }
            await device.settle()
            return nil
        }
    }

    private func phone() async throws -> (TestPhone, Device) {
        let phone = try await TestPhone(at: OfferCodeStore.started())
        return (phone, try await phone.launch(finishing: false).device)
    }

    private func errands(on phone: TestPhone) throws -> Int? {
        try Journal(path: phone.journal).database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM errand") }
    }

    @Test(arguments: Kit.allCases, [FaultyTransport.Fault.lostReply, .doubled])
    func `a code is redeemed once when the store's answer is lost or comes twice, and arrives as news`(
        _ kit: Kit, _ fault: FaultyTransport.Fault
    ) async throws {
        let (phone, device) = try await phone()
        phone.user.script(offerCodes: [OfferCodeStore.code])
        phone.line.fail(DeviceEndpoints.redeem, fault)
        var updates = device.updates().makeAsyncIterator()
        #expect(await kit.redeem(on: device) == nil)
        let bought = try await device.session.verify(try #require(await updates.next())).payload
        #expect(bought.offerIdentifier == OfferCodeStore.code)
        #expect(device.paymentQueue.transactions.map(\.transactionIdentifier) == [bought.transactionId.rawValue])
        #expect(try await phone.charges.map(\.transaction) == [bought.transactionId])
        #expect(!phone.user.shown.contains { if case .offerCodeRefused = $0 { true } else { false } })
        #expect(try errands(on: phone) == 0)
    }

    @Test(arguments: Kit.allCases)
    func `who types a code again, because no answer came, redeems it once, also in another launch`(_ kit: Kit) async throws {
        let (phone, device) = try await phone()
        phone.user.script(offerCodes: [OfferCodeStore.code, OfferCodeStore.code, OfferCodeStore.code])
        phone.line.fail(DeviceEndpoints.redeem, .lostReply, .lostReply, .lostReply, .lostReply)
        for _ in 1...2 {
            let error = await kit.redeem(on: device)
            if kit == .two { #expect(error == PaymentFailure(WireClientError.unreachable)) }
            guard case .offerCodeRefused(OfferCodeStore.code, let reason)? = phone.user.shown.last else { throw CancellationError() }
            #expect(reason == "Cannot connect to the App Store.")
        }
        // It was redeemed, and arrives although no answer did.
        let charges = try await phone.charges
        #expect(charges.count == 1)
        #expect(device.paymentQueue.transactions.map(\.transactionIdentifier) == charges.map(\.transaction.rawValue))
        // From here on a second redemption would be a second purchase.
        let path = ["transaction": try #require(charges.first).transaction.rawValue]
        _ = try await phone.harness.control(ControlEndpoints.subscription, SubscriptionRequest(.expire), path)
        let (next, _) = try await phone.launch(finishing: false)
        #expect(await kit.redeem(on: next) == nil)
        #expect(try await phone.charges == charges)
        #expect(phone.line.count(DeviceEndpoints.redeem) == 5)
        // Answered once, it is over: who redeems the code after that redeems it anew.
        #expect(try errands(on: phone) == 0)
        phone.user.script(offerCodes: [OfferCodeStore.code])
        #expect(await kit.redeem(on: next) == nil)
        #expect(try await phone.charges.map(\.amount.milliunits) == [990, 990])
    }

    @Test(arguments: Kit.allCases) func `the sheet says why a code was refused`(_ kit: Kit) async throws {
        let (phone, device) = try await phone()
        phone.user.script(offerCodes: ["NONSENSE"])
        let error = await kit.redeem(on: device)
        #expect((error == nil) == (kit == .one))
        guard case .offerCodeRefused("NONSENSE", let reason)? = phone.user.shown.last else { throw CancellationError() }
        #expect(!reason.isEmpty)
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(try errands(on: phone) == 0)
    }

    @Test(arguments: Kit.allCases) func `a cancelled sheet, or sign-in, shows nothing and asks the store nothing`(_ kit: Kit) async throws {
        let (phone, device) = try await phone()
        phone.user.script(offerCodes: [nil, OfferCodeStore.code])
        phone.user.script(signIns: [nil])
        #expect(await kit.redeem(on: device) == nil)
        let error = await kit.redeem(on: device)
        #expect((error == nil) == (kit == .one))
        #expect(phone.line.count(DeviceEndpoints.redeem) == 0)
        #expect(phone.user.shown.filter { $0 == .offerCode }.count == 2)
        #expect(phone.user.shown.count == 3)
    }

    @Test(arguments: [[FaultyTransport.Fault.lostReply], [.doubled], [.lostReply, .lostReply]])
    func `a plan is changed once when the store's answer is lost or comes twice`(_ faults: [FaultyTransport.Fault]) async throws {
        let (phone, device) = try await phone()
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.magazine))
        await device.settle()
        let magazine = try #require(device.paymentQueue.transactions.first?.transactionIdentifier)
        for fault in faults { phone.line.fail(DeviceEndpoints.manage, fault) }
        var error: PaymentFailure?
        for _ in 1...2 {
            phone.user.script(changes: [.change(TransactionID(magazine), to: OfferCodeStore.gold)])
            error = nil
            do { try await device.showManageSubscriptions() } catch let failure { error = failure as? PaymentFailure }
            await device.settle()
            if error == nil { break }
        }
        #expect(error == nil)
        // Besides what is paid back for the rest of the running month.
        let paid = try await phone.charges.filter { $0.amount.milliunits > 0 }
        #expect(paid.map(\.productID) == [MonkeyShopProduct.magazine, OfferCodeStore.gold])
        #expect(device.paymentQueue.transactions.map(\.payment.productIdentifier).contains(OfferCodeStore.gold.rawValue))
        #expect(try errands(on: phone) == 0)
    }

    @Test(arguments: [(FaultyTransport.Fault.lostReply, 2), (.doubled, 1)])
    func `what is cancelled is cancelled once when the store's answer is lost or comes twice`(
        _ fault: FaultyTransport.Fault, _ calls: Int
    ) async throws {
        let (phone, device) = try await phone()
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.magazine))
        await device.settle()
        let magazine = TransactionID(try #require(device.paymentQueue.transactions.first?.transactionIdentifier))
        phone.line.fail(DeviceEndpoints.manage, fault)
        phone.user.script(changes: [.cancel(magazine)])
        try await Device.$current.withValue(device) {
            try await device.showManageSubscriptions()
            let status = try await Product.SubscriptionInfo.status(transactionID: #require(UInt64(magazine.rawValue)))
            #expect(status?.renewalInfo.unsafePayloadValue.willAutoRenew == false)
        }
        #expect(phone.line.count(DeviceEndpoints.manage) == calls)
    }
}
