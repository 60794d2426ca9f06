import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProtocol
import StoreKit
import StoreTestSupport
import Testing
import WireClient

@testable import OpenStoreKit

/// The store signs wrongly on purpose, and an app sees what it got as unverified.
@Suite struct WrongSignatureTests {
    private let sepia = MonkeyShopProduct.sepia

    /// A phone at a store of its own, signed in, on which `product` was bought and finished.
    private func phone(owning product: ProductID? = nil, at store: StoreHarness? = nil) async throws -> TestPhone {
        var harness = store
        if harness == nil { harness = try await StoreHarness.started() }
        let phone = try await TestPhone(at: harness)
        let (device, _) = try await phone.launch(finishing: true)
        try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        if let product { device.paymentQueue.add(TestPhone.payment(product)) }
        await device.settle()
        return phone
    }

    private func signWrongly<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, as name: String, at phone: TestPhone
    ) async throws {
        var fault = Fault(.signing(fault: name))
        fault.path = endpoint.template
        _ = try await phone.harness.control(ControlEndpoints.setFault, fault)
    }

    private func signRightly(at phone: TestPhone) async throws {
        _ = try await phone.harness.control(ControlEndpoints.clearFaults, Empty())
    }

    private func all() async -> [VerificationResult<Transaction>] {
        var results: [VerificationResult<Transaction>] = []
        for await result in Transaction.all { results.append(result) }
        return results
    }

    private func isVerified<Value>(_ result: VerificationResult<Value>?) -> Bool? {
        switch result {
        case nil: nil
        case .verified?: true
        case .unverified?: false
        }
    }

    @Test(arguments: ["wrongRoot", "changedPayload", "wrongKey", "expiredLeaf"])
    func `a history that is signed wrongly is shown unverified, and verified once the store signs rightly`(_ name: String) async throws {
        let owner = try await phone(owning: sepia)
        let second = try await TestPhone(account: owner.account, at: owner.harness)
        try await signWrongly(DeviceEndpoints.purchases, as: name, at: owner)
        let device = try second.launch()
        try await device.signIn(Credentials(account: owner.account, password: "ladder"))
        try await Device.$current.withValue(device) {
            let bought = await all()
            #expect(bought.map(\.unsafePayloadValue.productID) == [sepia.rawValue])
            #expect(bought.map { isVerified($0) } == [false])
            #expect(isVerified(await Transaction.latest(for: sepia.rawValue)) == false)
            #expect(isVerified(await Transaction.currentEntitlement(for: sepia.rawValue)) == false)
            #expect(try await Product.SubscriptionInfo.status(transactionID: 7) == nil)
            #expect(await Transaction.latest(for: MonkeyShopProduct.moonlight.rawValue) == nil)
            // Nothing of it is kept.
            #expect(try await device.engine.journal.purchases(of: owner.account).isEmpty)
            try await signRightly(at: owner)
            #expect(await all().map { isVerified($0) } == [true])
            try await signWrongly(DeviceEndpoints.purchases, as: name, at: owner)
            // What was verified once stays so.
            #expect(await all().map { isVerified($0) } == [true])
        }
    }

    @Test func `an app transaction that is signed wrongly is shown unverified, and not kept`() async throws {
        let phone = try await phone()
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            try await signWrongly(DeviceEndpoints.appTransaction, as: "wrongRoot", at: phone)
            #expect(isVerified(try await AppTransaction.shared) == false)
            #expect(isVerified(try await AppTransaction.refresh()) == false)
            try await signRightly(at: phone)
            #expect(isVerified(try await AppTransaction.shared) == true)
            try await signWrongly(DeviceEndpoints.appTransaction, as: "wrongRoot", at: phone)
            #expect(isVerified(try await AppTransaction.shared) == true)
        }
    }

    @Test func `what a code was redeemed for is shown unverified, and comes once more, verified`() async throws {
        let phone = try await phone(at: OfferCodeStore.started())
        let device = try phone.launch()
        try await signWrongly(DeviceEndpoints.redeem, as: "changedPayload", at: phone)
        phone.user.script(offerCodes: [OfferCodeStore.code])
        try await Device.$current.withValue(device) {
            var updates = Transaction.updates.makeAsyncIterator()
            // Nothing asks the store for news while the code is redeemed.
            await device.settle()
            try await device.redeemOfferCode()
            #expect(isVerified(await updates.next()) == false)
            let second = await updates.next()
            #expect(isVerified(second) == true)
            #expect(second?.unsafePayloadValue.offer?.id == OfferCodeStore.code)
        }
        #expect(try await phone.charges.count == 1)
    }

    @Test func `a managed subscription whose state is signed wrongly is shown unverified, and then verified`() async throws {
        let phone = try await phone(owning: MonkeyShopProduct.magazine)
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            let bought = try #require(await Transaction.latest(for: MonkeyShopProduct.magazine.rawValue)).unsafePayloadValue
            try await signWrongly(DeviceEndpoints.manage, as: "wrongKey", at: phone)
            phone.user.script(changes: [.cancel(TransactionID("\(bought.id)"))])
            var updates = Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
            await device.settle()
            try await device.showManageSubscriptions()
            let first = try #require(await updates.next())
            #expect(isVerified(first.renewalInfo) == false && isVerified(first.transaction) == false)
            #expect(!first.renewalInfo.unsafePayloadValue.willAutoRenew)
            let second = try #require(await updates.next())
            #expect(isVerified(second.renewalInfo) == true && isVerified(second.transaction) == true)
            #expect(!second.renewalInfo.unsafePayloadValue.willAutoRenew)
        }
    }
}
