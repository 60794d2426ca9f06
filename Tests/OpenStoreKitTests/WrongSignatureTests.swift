import Foundation
import PurchaseModel
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import OpenStoreKit

/// Data from a store with simulated signing faults, which the app receives as unverified.
@Suite struct WrongSignatureTests {
    private let sepia = SampleProduct.sepia

    /// A signed-in phone with a new store (unless `store` is given), on which `product` was purchased and finished.
    private func phone(owning product: ProductID? = nil, at store: StoreHarness? = nil) async throws -> Phone {
        let harness = if let store { store } else { try await StoreHarness.start() }
        let phone = try await Phone(at: harness)
        let (device, _) = try await phone.launch(finishing: true)
        try await device.signIn(phone.credentials)
        if let product { device.paymentQueue.add(Phone.payment(product)) }
        await device.waitUntilIdle()
        // The device stores the history with the purchase, so that the next launch reports only later changes.
        _ = await device.purchases()
        return phone
    }

    private func injectSigningFault<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, as name: String, at phone: Phone
    ) async throws {
        var fault = Fault(.signing(fault: name))
        fault.path = endpoint.template
        _ = try await phone.harness.call(ControlEndpoints.setFault, fault)
    }

    private func clearSigningFaults(at phone: Phone) async throws {
        _ = try await phone.harness.call(ControlEndpoints.clearFaults, Empty())
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
    func `a history with invalid signatures is unverified until the store signs correctly`(_ name: String) async throws {
        let owner = try await phone(owning: sepia)
        let second = try await Phone(account: owner.account, at: owner.harness)
        try await injectSigningFault(DeviceEndpoints.history, as: name, at: owner)
        let device = try await second.launchSignedIn()
        try await Device.$current.withValue(device) {
            let bought = await all()
            #expect(bought.map(\.unsafePayloadValue.productID) == [sepia.rawValue])
            #expect(bought.map { isVerified($0) } == [false])
            #expect(isVerified(await Transaction.latest(for: sepia.rawValue)) == false)
            #expect(isVerified(await Transaction.currentEntitlement(for: sepia.rawValue)) == false)
            #expect(try await Product.SubscriptionInfo.status(transactionID: 7) == nil)
            #expect(await Transaction.latest(for: SampleProduct.moonlight.rawValue) == nil)
            // The device does not store unverified transactions.
            #expect(try await device.engine.request { $0.queue.journal }.purchases(of: owner.account).isEmpty)
            try await clearSigningFaults(at: owner)
            #expect(await all().map { isVerified($0) } == [true])
            try await injectSigningFault(DeviceEndpoints.history, as: name, at: owner)
            // Verified transactions stay verified.
            #expect(await all().map { isVerified($0) } == [true])
        }
    }

    @Test func `an app transaction with an invalid signature is unverified and not stored`() async throws {
        let phone = try await phone()
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            try await injectSigningFault(DeviceEndpoints.appTransaction, as: "wrongRoot", at: phone)
            #expect(isVerified(try await AppTransaction.shared) == false)
            #expect(isVerified(try await AppTransaction.refresh()) == false)
            try await clearSigningFaults(at: phone)
            #expect(isVerified(try await AppTransaction.shared) == true)
            try await injectSigningFault(DeviceEndpoints.appTransaction, as: "wrongRoot", at: phone)
            #expect(isVerified(try await AppTransaction.shared) == true)
        }
    }

    @Test func `a redeemed transaction with an invalid signature is unverified, and delivered again as verified`() async throws {
        let phone = try await phone(at: OfferCodeStore.start())
        let device = try phone.launch()
        try await injectSigningFault(DeviceEndpoints.redeem, as: "changedPayload", at: phone)
        phone.user.script(offerCodes: [OfferCodeStore.code])
        try await Device.$current.withValue(device) {
            var updates = Transaction.updates.makeAsyncIterator()
            // No other request to the store is under way during the redemption.
            await device.waitUntilIdle()
            try await device.redeemOfferCode()
            #expect(isVerified(await updates.next()) == false)
            let second = await updates.next()
            #expect(isVerified(second) == true)
            #expect(second?.unsafePayloadValue.offer?.id == OfferCodeStore.code)
        }
        #expect(try await phone.charges.count == 1)
    }

    @Test func `a subscription change with an invalid signature is unverified, and delivered again as verified`() async throws {
        let phone = try await phone(owning: SampleProduct.magazine)
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            let bought = try #require(await Transaction.latest(for: SampleProduct.magazine.rawValue)).unsafePayloadValue
            try await injectSigningFault(DeviceEndpoints.manageSubscription, as: "wrongKey", at: phone)
            phone.user.script(changes: [.disableAutoRenew(TransactionID("\(bought.id)"))])
            var updates = Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
            await device.waitUntilIdle()
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
