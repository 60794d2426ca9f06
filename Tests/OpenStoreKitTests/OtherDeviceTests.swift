import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProtocol
import StoreKit
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit

/// What one device of an account learns of what another has bought and not delivered.
@Suite struct OtherDeviceTests {
    private let credits = MonkeyShopProduct.credits5

    private func credentials(_ phone: TestPhone) -> Credentials { Credentials(account: phone.account, password: "ladder") }

    private func phonesOfOne() async throws -> (TestPhone, TestPhone, TestPhone) {
        let phone = try await TestPhone()
        return (phone, try await TestPhone(account: phone.account), try await TestPhone(account: phone.account))
    }

    private func signedIn(_ phone: TestPhone) async throws -> Device {
        let device = try phone.launch()
        try await device.signIn(credentials(phone))
        return device
    }

    private func ids(_ signed: [SignedTransaction], on device: Device) async -> [String] {
        var ids: [String] = []
        for signed in signed { await device.transaction(signed).map { ids.append(String($0.unsafePayloadValue.id)) } }
        return ids
    }

    @Test(arguments: [false, true])
    func `coins that were paid and not delivered come to the phone after it was wiped`(_ isLost: Bool) async throws {
        let phone = try await TestPhone()
        let (device, _) = try await phone.launch(finishing: false)
        if isLost { phone.line.fail(DeviceEndpoints.purchase, .lostReply) }
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        let charged = try await phone.charges.map(\.transaction.rawValue)
        #expect(charged.count == 1)

        let wiped = try await TestPhone(account: phone.account)
        let fresh = try await signedIn(wiped)
        let witness = Witness(finishes: true)
        fresh.paymentQueue.add(witness)
        await fresh.settle()
        #expect(witness.identifiers == charged)
        #expect(try await phone.charges.count == 1)
        // Delivered once, it comes to nobody any more.
        let third = try await TestPhone(account: phone.account)
        let (last, later) = try await third.launch(finishing: false)
        try await last.signIn(credentials(third))
        await last.settle()
        #expect(later.notes.isEmpty)
    }

    @Test func `what was bought elsewhere after the first sign-in stays out of the queue`() async throws {
        let phone = try await TestPhone()
        let second = try await TestPhone(account: phone.account)
        let other = try await signedIn(second)
        let witness = Witness()
        other.paymentQueue.add(witness)
        let (device, _) = try await phone.launch(finishing: false)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        other.wake()
        await other.settle()
        #expect(witness.notes.isEmpty)
    }

    @Test func `StoreKit 2 shows what no device has finished, and any device can finish it`() async throws {
        let (phone, second, third) = try await phonesOfOne()
        let other = try await signedIn(second)
        await other.settle()
        let (device, _) = try await phone.launch(finishing: false)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        let charged = try #require(try await phone.charges.first).transaction
        #expect(await ids(other.unfinished(), on: other) == [charged.rawValue])
        var updates = other.updates().makeAsyncIterator()
        let told = try #require(await updates.next())
        #expect(await ids([told], on: other) == [charged.rawValue])

        await other.finish(charged)
        #expect(await other.unfinished().isEmpty)
        await other.settle()
        #expect(try Journal(path: second.journal).records().isEmpty)
        let last = try await signedIn(third)
        #expect(await last.unfinished().isEmpty)
        #expect(await last.purchases().map(\.isFinished) == [true])
    }

    @Test func `a finish without a network is told later`() async throws {
        let (phone, second, third) = try await phonesOfOne()
        let (device, _) = try await phone.launch(finishing: false)
        let other = try await signedIn(second)
        await other.settle()
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(await other.unfinished().count == 1)
        second.line.set(away: true)
        await other.finish(try #require(try await phone.charges.first).transaction)
        #expect(await other.unfinished().isEmpty)
        second.line.set(away: false)
        other.wake()
        await other.settle()
        let last = try await signedIn(third)
        #expect(await last.unfinished().isEmpty)
    }

    @Test func `a purchase is delivered once, by its payment, although the history has the transaction first`() async throws {
        let phone = try await TestPhone()
        let (device, witness) = try await phone.launch(finishing: true)
        try await device.signIn(credentials(phone))
        await device.settle()
        var updates = device.updates().makeAsyncIterator()
        let seen = Mutex<[SignedTransaction]?>(nil)
        // The receipt is fetched between the store's response and the announcement of the purchase.
        phone.line.set { path in
            guard path == DeviceEndpoints.receipt.template, seen.withLock({ $0 == nil }) else { return true }
            seen.withLock { $0 = [] }
            let known = await device.purchases()
            let unfinished = await device.unfinished()
            seen.withLock { $0 = unfinished }
            #expect(known.count == 1)
            return true
        }
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(seen.withLock { $0 } == [])
        let charged = try #require(try await phone.charges.first).transaction
        #expect(witness.identifiers == [charged.rawValue])
        // The listener of updates receives it from the queue, and nothing else before what another device buys later.
        try await TestPhone(account: phone.account).buy(credits, finishing: false)
        _ = await device.purchases()
        var told: [SignedTransaction] = []
        for _ in 0..<2 { told.append(try #require(await updates.next())) }
        #expect(await ids(told, on: device) == (try await phone.charges.map(\.transaction.rawValue)))
    }

    @Test func `news of one account that nobody has heard is not told the next`() async throws {
        let phone = try await TestPhone()
        let device = try await signedIn(phone)
        await device.settle()
        _ = await device.purchases()
        // Something for the first listener, bought elsewhere.
        try await TestPhone(account: phone.account).buy(credits, finishing: false)
        _ = await device.purchases()
        let next = try await TestPhone()
        try await device.signIn(credentials(next))
        await device.settle()
        var updates = device.updates().makeAsyncIterator()
        try await TestPhone(account: next.account).buy(MonkeyShopProduct.credits10, finishing: false)
        _ = await device.purchases()
        let told = try #require(await updates.next())
        #expect(await ids([told], on: device) == (try await next.charges.map(\.transaction.rawValue)))
    }
}
