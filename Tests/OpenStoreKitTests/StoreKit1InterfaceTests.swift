import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProtocol
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit
@testable import StoreKit

@Suite struct StoreKit1InterfaceTests {
    /// A terminal whose lines are written down beforehand.
    private final class Console: Sendable {
        private let state: Mutex<(lines: [String], written: String)>

        init(_ lines: [String]) { state = Mutex((lines, "")) }

        var written: String { state.withLock { $0.written } }

        var terminal: TerminalInterface {
            TerminalInterface(
                read: { self.state.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() } },
                write: { text in self.state.withLock { $0.written += text } }
            )
        }
    }

    private final class Reports: Sendable {
        private let state = Mutex<[DeviceReport]>([])
        var all: [DeviceReport] { state.withLock { $0 } }
        func add(_ report: DeviceReport) { state.withLock { $0.append(report) } }
    }

    private let sheet = ConfirmationSheet(
        StoreProduct(
            id: ProductID("a"), type: .consumable, title: "Coins", summary: "", price: Money(milliunits: 990, currency: "USD"),
            priceLocale: "en_US"), quantity: 3)

    @Test func `a budget is spent prompt by prompt, and whole again after a success`() {
        var budget = PromptBudget(limit: 2)
        var answers = (1...4).map { _ in budget.spend() }
        budget.renew()
        answers.append(budget.spend())
        #expect(answers == [true, true, false, false, true])
        var none = PromptBudget(limit: 0)
        let answer = none.spend()
        #expect(!answer)
    }

    @Test func `a restore and a refresh without a gesture are reported, with one they are not`() async throws {
        let phone = try await TestPhone()
        let reports = Reports()
        var configuration = phone.configuration
        configuration.report = { reports.add($0) }
        let device = try Device(configuration, transport: phone.line, retryPolicy: RetryPolicy { 0 }, clock: phone.clock, logger: .silent)
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        #expect(reports.all == [.restoreWithoutGesture])
        #expect(await RequestDelegate.refresh(on: device).calls == ["finished"])
        #expect(reports.all == [.restoreWithoutGesture, .refreshWithoutGesture])
        Device.withUserGesture { device.paymentQueue.restoreCompletedTransactions() }
        await device.settle()
        #expect(await Device.withUserGesture { await RequestDelegate.refresh(on: device) }.calls == ["finished"])
        #expect(reports.all.count == 2)
        #expect(phone.user.shown.first == .signIn(.restore))
    }

    @Test func `prompts in a row without a success are withheld beyond the budget, until a gesture`() async throws {
        let phone = try await TestPhone()
        phone.user.script(cancelsSignIn: true)
        let reports = Reports()
        var configuration = phone.configuration
        configuration.signInPromptLimit = 2
        configuration.report = { reports.add($0) }
        let device = try Device(configuration, transport: phone.line, retryPolicy: RetryPolicy { 0 }, clock: phone.clock, logger: .silent)
        for _ in 1...3 { #expect(await RequestDelegate.refresh(on: device).error?.code == 2) }
        #expect(phone.user.shown == [.signIn(.refresh), .signIn(.refresh)])
        #expect(reports.all.last == .promptWithheld(limit: 2))
        _ = await Device.withUserGesture { await RequestDelegate.refresh(on: device) }
        #expect(phone.user.signInPrompts == 3)
    }

    @Test func `who was signed in before is asked for the password again`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        #expect(await RequestDelegate.refresh(on: device).calls == ["finished"])
        phone.line.fail(DeviceEndpoints.receipt, .refused(status: 401))
        #expect(await RequestDelegate.refresh(on: device).calls == ["finished"])
        #expect(phone.user.shown == [.signIn(.refresh), .signInAgain(phone.account, .refresh)])
    }

    @Test func `a cancel at any prompt of a purchase is one failure with code 2`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        phone.user.script(confirmations: [false])
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia))
        await device.settle()
        phone.user.script(signIns: [nil])
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia))
        await device.settle()
        #expect(witness.errors.map(\.code) == [2, 2])
        #expect(try await phone.charges.isEmpty)
    }

    @Test func `a terminal asks in lines and takes its answers from lines`() async {
        let console = Console(["jane@example.com", "ladder", "maybe", "yes", "ladder", "CODE", "3", "1", "no", "yes"])
        let terminal = console.terminal
        let credentials = await terminal.signIn(for: .restore)
        #expect(credentials?.account == AccountID("jane@example.com") && credentials?.password == "ladder")
        #expect(await terminal.confirm(sheet))
        #expect(await terminal.signIn(again: AccountID("jane@example.com"), for: .refresh)?.password == "ladder")
        #expect(await terminal.offerCode() == "CODE")
        await terminal.refused(offerCode: "CODE", because: "Nobody knows it.")
        #expect(console.written.contains("The code CODE was not redeemed: Nobody knows it.\n"))
        #expect(await terminal.refundReason(RefundSheet(productID: ProductID("a"), transaction: TransactionID("1"))) == .unsatisfied)
        let subscription = SubscriptionsSheet.Subscription(transaction: TransactionID("1"), productID: ProductID("a"), renews: true)
        #expect(await terminal.manage(SubscriptionsSheet(subscriptions: [subscription])) == .cancel(TransactionID("1")))
        #expect(await terminal.consent(to: PriceConsentSheet(ProductID("a"), nil)) == false)
        #expect(await terminal.askPermission(sheet))
        #expect(console.written.contains("Ask for permission to buy 3 × Coins at $0.99 each, $2.97 in all?"))
        #expect(console.written.contains("Buy 3 × Coins at $0.99 each, $2.97 in all?"))
        #expect(!console.written.contains("ladder"))
    }

    @Test func `the end of a terminal's input cancels everything`() async {
        let terminal = Console([]).terminal
        #expect(await terminal.signIn() == nil)
        #expect(await !terminal.confirm(sheet))
        #expect(await !terminal.askPermission(sheet))
        #expect(await terminal.signIn(again: AccountID("a"), for: .purchase) == nil)
        #expect(await terminal.offerCode() == nil)
        #expect(await terminal.refundReason(RefundSheet(productID: ProductID("a"), transaction: TransactionID("1"))) == nil)
        #expect(await terminal.manage(SubscriptionsSheet(subscriptions: [])) == nil)
        #expect(await terminal.consent(to: PriceConsentSheet(ProductID("a"), nil)) == nil)
        let half = Console(["jane@example.com"]).terminal
        #expect(await half.signIn() == nil)
    }
}
