import Foundation
import PurchaseModel
import StoreKit
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing
import Wire

@testable import OpenStoreKit

/// Delivery of an account's unfinished purchases to its other devices.
@Suite struct OtherDeviceTests {
    private let credits = SampleProduct.credits5

    private func phonesOfOneAccount() async throws -> (Phone, Phone, Phone) {
        let phone = try await Phone()
        return (phone, try await Phone(account: phone.account), try await Phone(account: phone.account))
    }

    private func ids(_ signed: [SignedTransaction], on device: Device) async -> [String] {
        var ids: [String] = []
        for signed in signed { await device.transaction(signed).map { ids.append(String($0.unsafePayloadValue.id)) } }
        return ids
    }

    @Test(arguments: [false, true])
    func `an erased device receives purchases that were charged but not delivered`(_ isLost: Bool) async throws {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: false)
        if isLost { phone.transport.fail(DeviceEndpoints.purchase, .lostReply) }
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        let charged = try await phone.charges.map(\.transactionID.rawValue)
        #expect(charged.count == 1)

        let erased = try await Phone(account: phone.account)
        let fresh = try await erased.launchSignedIn()
        let recorder = RecordingObserver(finishes: true)
        fresh.paymentQueue.add(recorder)
        await fresh.waitUntilIdle()
        #expect(recorder.identifiers == charged)
        #expect(try await phone.charges.count == 1)
        // A finished transaction is not delivered to another device.
        let third = try await Phone(account: phone.account)
        let (last, later) = try await third.launch(finishing: false)
        try await last.signIn(third.credentials)
        await last.waitUntilIdle()
        #expect(later.events.isEmpty)
    }

    @Test func `purchases on another device after the first sign-in stay out of the payment queue`() async throws {
        let phone = try await Phone()
        let second = try await Phone(account: phone.account)
        let other = try await second.launchSignedIn()
        let recorder = RecordingObserver()
        other.paymentQueue.add(recorder)
        let (device, _) = try await phone.launch(finishing: false)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        other.wake()
        await other.waitUntilIdle()
        #expect(recorder.events.isEmpty)
    }

    @Test func `StoreKit 2 shows unfinished transactions of all devices, and any device can finish them`() async throws {
        let (phone, second, third) = try await phonesOfOneAccount()
        let other = try await second.launchSignedIn()
        await other.waitUntilIdle()
        let (device, _) = try await phone.launch(finishing: false)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        let charged = try #require(try await phone.charges.first).transactionID
        #expect(await ids(other.unfinished(), on: other) == [charged.rawValue])
        var updates = other.updates().makeAsyncIterator()
        let update = try #require(await updates.next())
        #expect(await ids([update], on: other) == [charged.rawValue])

        await other.finish(charged)
        #expect(await other.unfinished().isEmpty)
        await other.waitUntilIdle()
        #expect(try Journal(path: second.journal).records().isEmpty)
        let last = try await third.launchSignedIn()
        #expect(await last.unfinished().isEmpty)
        #expect(await last.purchases().map(\.isFinished) == [true])
    }

    @Test func `a finish without a network is sent later`() async throws {
        let (phone, second, third) = try await phonesOfOneAccount()
        let (device, _) = try await phone.launch(finishing: false)
        let other = try await second.launchSignedIn()
        await other.waitUntilIdle()
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(await other.unfinished().count == 1)
        second.transport.set(offline: true)
        await other.finish(try #require(try await phone.charges.first).transactionID)
        #expect(await other.unfinished().isEmpty)
        second.transport.set(offline: false)
        other.wake()
        await other.waitUntilIdle()
        let last = try await third.launchSignedIn()
        #expect(await last.unfinished().isEmpty)
    }

    @Test func `a payment delivers its purchase once, even if the history has the transaction first`() async throws {
        let phone = try await Phone()
        let (device, recorder) = try await phone.launch(finishing: true)
        try await device.signIn(phone.credentials)
        await device.waitUntilIdle()
        var updates = device.updates().makeAsyncIterator()
        let unfinishedAtReceipt = Mutex<[SignedTransaction]?>(nil)
        // The receipt is fetched between the store's response and the announcement of the purchase.
        phone.transport.set { path in
            guard path == DeviceEndpoints.receipt.template, unfinishedAtReceipt.withLock({ $0 == nil }) else { return true }
            unfinishedAtReceipt.withLock { $0 = [] }
            let known = await device.purchases()
            let unfinished = await device.unfinished()
            unfinishedAtReceipt.withLock { $0 = unfinished }
            #expect(known.count == 1)
            return true
        }
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(unfinishedAtReceipt.withLock { $0 } == [])
        let charged = try #require(try await phone.charges.first).transactionID
        #expect(recorder.identifiers == [charged.rawValue])
        // `updates` yields the transaction once, from the queue, and then the purchase of another device.
        try await Phone(account: phone.account).buy(credits, finishing: false)
        _ = await device.purchases()
        var update: [SignedTransaction] = []
        for _ in 0..<2 { update.append(try #require(await updates.next())) }
        #expect(await ids(update, on: device) == (try await phone.charges.map(\.transactionID.rawValue)))
    }

    @Test func `undelivered updates of one account are not delivered to the next account`() async throws {
        let phone = try await Phone()
        let device = try await phone.launchSignedIn()
        await device.waitUntilIdle()
        _ = await device.purchases()
        // A purchase on another device leaves an update for the first listener.
        try await Phone(account: phone.account).buy(credits, finishing: false)
        _ = await device.purchases()
        let next = try await Phone()
        try await device.signIn(next.credentials)
        await device.waitUntilIdle()
        var updates = device.updates().makeAsyncIterator()
        try await Phone(account: next.account).buy(SampleProduct.credits10, finishing: false)
        _ = await device.purchases()
        let update = try #require(await updates.next())
        #expect(await ids([update], on: device) == (try await next.charges.map(\.transactionID.rawValue)))
    }
}
