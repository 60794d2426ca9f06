import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProtocol
import StoreKit
import StoreTestSupport
import Testing
import WireClient

@testable import OpenStoreKit

@Suite struct AccountTests {
    private let credits = MonkeyShopProduct.credits5

    private func credentials(_ account: AccountID) -> Credentials { Credentials(account: account, password: "ladder") }

    @Test func `what one account has not finished is not the next one's, and is there when it comes back`() async throws {
        let phone = try await TestPhone()
        let (device, witness) = try await phone.launch(finishing: false)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        let bought = witness.identifiers
        #expect(bought.count == 1)
        let other = try await phone.harness.openAccount()
        try await device.signIn(credentials(other))
        await device.settle()
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(witness.notes.last == .removed(credits.rawValue))
        #expect(await device.unfinished().isEmpty)
        #expect(await device.purchases().isEmpty)
        try await device.signIn(credentials(phone.account))
        await device.settle()
        #expect(device.paymentQueue.transactions.map(\.transactionIdentifier) == bought)
        #expect(await device.unfinished().count == 1)
        #expect(await device.purchases().count == 1)
    }

    @Test func `a payment that one account has confirmed is never sent as another`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        try await device.signIn(credentials(phone.account))
        await device.settle()
        phone.line.fail(DeviceEndpoints.purchase, .away)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        let other = try await phone.harness.openAccount()
        try await device.signIn(credentials(other))
        await device.settle()
        #expect(try await phone.harness.charges(other).isEmpty)
        #expect(try await phone.charges.isEmpty)
        try await device.signIn(credentials(phone.account))
        await device.settle()
        #expect(try await phone.charges.count == 1)
        #expect(try await phone.harness.charges(other).isEmpty)
    }

    @Test func `whoever signs in at the prompt instead of the owner does not pay for the owner`() async throws {
        let phone = try await TestPhone()
        let (device, _) = try await phone.launch(finishing: true)
        try await device.signIn(credentials(phone.account))
        let other = try await phone.harness.openAccount()
        let stranger = ScriptedInterface(credentials(other))
        var configuration = phone.configuration
        configuration.interface = stranger
        phone.line.fail(DeviceEndpoints.purchase, .refused(status: 401))
        let second = try Device(
            configuration, transport: phone.line, retryPolicy: RetryPolicy { 0 }, clock: phone.clock, logger: .silent)
        let witness = Witness(finishes: true)
        second.paymentQueue.add(witness)
        second.paymentQueue.add(TestPhone.payment(credits))
        await second.settle()
        #expect(stranger.signInPrompts == 1)
        #expect(try await phone.harness.charges(other).isEmpty)
        #expect(try await phone.charges.isEmpty)
        #expect(second.paymentQueue.transactions.isEmpty)
    }

    @Test func `a payment of nobody belongs to who signs in first`() async throws {
        let phone = try await TestPhone()
        phone.line.fail(DeviceEndpoints.purchase, .away)
        let (device, _) = try await phone.launch(finishing: true)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        let other = try await phone.harness.openAccount()
        try await device.signIn(credentials(other))
        await device.settle()
        #expect(try await phone.harness.charges(other).isEmpty)
        try await device.signIn(credentials(phone.account))
        await device.settle()
        #expect(try await phone.charges.count == 1)
    }

    @Test func `signing out hides what is there, takes the receipt away, and survives a launch`() async throws {
        let phone = try await TestPhone()
        let (device, witness) = try await phone.launch(finishing: false)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(FileManager.default.fileExists(atPath: device.receiptURL.path))
        try await device.signOut()
        await device.settle()
        #expect(!FileManager.default.fileExists(atPath: device.receiptURL.path))
        #expect(witness.notes.last == .removed(credits.rawValue))
        #expect(device.account == nil)
        let (next, heard) = try await phone.launch(finishing: false)
        #expect(heard.notes.isEmpty)
        #expect(next.paymentQueue.transactions.isEmpty)
        try await next.signIn(credentials(phone.account))
        await next.settle()
        #expect(heard.notes == [.updated(.purchased, credits.rawValue)])
    }

    @Test func `a session that has ended leaves the device to its owner`() async throws {
        let phone = try await TestPhone()
        let (device, _) = try await phone.launch(finishing: false)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        phone.line.fail(DeviceEndpoints.unfinished, .refused(status: 401))
        let (next, witness) = try await phone.launch(finishing: false)
        #expect(next.account == nil)
        #expect(witness.notes == [.updated(.purchased, credits.rawValue)])
    }

    @Test func `two devices of one account buy at the same time, and each has its own transaction`() async throws {
        let phone = try await TestPhone()
        let tablet = try await TestPhone(account: phone.account)
        let (one, first) = try await phone.launch(finishing: true)
        let (two, second) = try await tablet.launch(finishing: true)
        for _ in 1...5 {
            one.paymentQueue.add(TestPhone.payment(credits))
            two.paymentQueue.add(TestPhone.payment(credits))
        }
        async let settled: Void = one.settle()
        await two.settle()
        await settled
        #expect(first.identifiers.count == 5, "\(first.notes) \(first.identifiers)")
        #expect(second.identifiers.count == 5)
        #expect(Set(first.identifiers).isDisjoint(with: second.identifiers))
        #expect(Set(try await phone.charges.map(\.transaction.rawValue)) == Set(first.identifiers + second.identifiers))
    }

    @Test func `a purchase call ends when its account leaves the device`() async throws {
        let phone = try await TestPhone()
        let user = PatientUser()
        var configuration = phone.configuration
        configuration.interface = user
        let device = try Device(configuration, transport: phone.line, retryPolicy: RetryPolicy { 0 }, clock: phone.clock, logger: .silent)
        try await device.signIn(credentials(phone.account))
        async let conclusion = device.purchase(
            PaymentRequest(id: PaymentID(UUID()), productID: credits, quantity: 1, username: nil, product: nil))
        await user.untilAsked()
        try await device.signOut()
        guard case .cancelled = await conclusion else { return #expect(Bool(false)) }
        #expect(try Journal(path: phone.journal).records().isEmpty)
        device.engine.close()
    }

    @Test func `what is restored for one account is not the one's that signs in meanwhile`() async throws {
        let phone = try await TestPhone()
        try await phone.buy(MonkeyShopProduct.sepia)
        let tablet = try await TestPhone(account: phone.account)
        let (device, witness) = try await tablet.launch(finishing: false)
        try await device.signIn(credentials(phone.account))
        await device.settle()
        // The call is on its way with the first account's token when the second signs in.
        let (held, holding) = AsyncStream.makeStream(of: Never.self)
        tablet.line.set { path in
            if path == DeviceEndpoints.restore.template { for await _ in held {} }
            return true
        }
        let calls = tablet.line.calls.count
        device.paymentQueue.restoreCompletedTransactions()
        await tablet.line.untilCalls(exceed: calls)
        try await device.signIn(credentials(phone.harness.openAccount()))
        holding.finish()
        await device.settle()
        #expect(witness.identifiers.isEmpty)
        #expect(witness.restoreEndings == [.restoreFailed(SKErrorDomain, 0)])
        #expect(device.paymentQueue.transactions.isEmpty)
    }
}
