import Foundation
import PurchaseModel
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit
@testable import StoreKit

@Suite struct StoreKit1InterfaceTests {
    /// A terminal with scripted input.
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

    @Test func `each prompt uses the prompt budget, and a reset restores it`() {
        var budget = PromptBudget(limit: 2)
        var answers = (1...4).map { _ in budget.usePrompt() }
        budget.reset()
        answers.append(budget.usePrompt())
        #expect(answers == [true, true, false, false, true])
        var none = PromptBudget(limit: 0)
        let answer = none.usePrompt()
        #expect(!answer)
    }

    @Test func `a restore or refresh is reported only without a user gesture`() async throws {
        let phone = try await Phone()
        let reports = Reports()
        let device = try phone.launch { $0.report = reports.add }
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        #expect(reports.all == [.restoreWithoutGesture])
        #expect(await RequestDelegate.refresh(on: device).calls == ["finished"])
        #expect(reports.all == [.restoreWithoutGesture, .refreshWithoutGesture])
        Device.withUserGesture { device.paymentQueue.restoreCompletedTransactions() }
        await device.waitUntilIdle()
        #expect(await Device.withUserGesture { await RequestDelegate.refresh(on: device) }.calls == ["finished"])
        #expect(reports.all.count == 2)
        #expect(phone.user.shown.first == .signIn(.restore))
    }

    @Test func `sign-in prompts beyond the limit are withheld until a user gesture`() async throws {
        let phone = try await Phone()
        phone.user.script(cancelsSignIn: true)
        let reports = Reports()
        let device = try phone.launch {
            $0.signInPromptLimit = 2
            $0.report = reports.add
        }
        for _ in 1...3 { #expect(await RequestDelegate.refresh(on: device).error?.code == 2) }
        #expect(phone.user.shown == [.signIn(.refresh), .signIn(.refresh)])
        #expect(reports.all.last == .promptWithheld(limit: 2))
        _ = await Device.withUserGesture { await RequestDelegate.refresh(on: device) }
        #expect(phone.user.signInPrompts == 3)
    }

    @Test func `an expired session prompts for the account's password only`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        #expect(await RequestDelegate.refresh(on: device).calls == ["finished"])
        phone.transport.fail(DeviceEndpoints.receipt, .refused(status: 401))
        #expect(await RequestDelegate.refresh(on: device).calls == ["finished"])
        #expect(phone.user.shown == [.signIn(.refresh), .signInAgain(phone.account, .refresh)])
    }

    @Test func `canceling any prompt of a purchase fails the payment once with code 2`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        phone.user.script(confirmations: [false])
        device.paymentQueue.add(Phone.payment(SampleProduct.sepia))
        await device.waitUntilIdle()
        phone.user.script(signIns: [nil])
        device.paymentQueue.add(Phone.payment(SampleProduct.sepia))
        await device.waitUntilIdle()
        #expect(recorder.errors.map(\.code) == [2, 2])
        #expect(try await phone.charges.isEmpty)
    }

    @Test func `the terminal interface writes prompts and reads answers line by line`() async {
        let console = Console(["jane@example.com", "ladder", "maybe", "yes", "ladder", "CODE", "3", "1", "no", "yes"])
        let terminal = console.terminal
        let credentials = await terminal.signIn(for: .restore)
        #expect(credentials?.account == AccountID("jane@example.com") && credentials?.password == "ladder")
        #expect(await terminal.confirm(sheet))
        #expect(await terminal.signIn(again: AccountID("jane@example.com"), for: .refresh)?.password == "ladder")
        #expect(await terminal.offerCode() == "CODE")
        await terminal.showRedemptionFailure(of: "CODE", because: "The code does not exist.")
        #expect(console.written.contains("The code CODE was not redeemed: The code does not exist.\n"))
        #expect(await terminal.refundReason(RefundSheet(productID: ProductID("a"), transaction: TransactionID("1"))) == .unsatisfied)
        let subscription = SubscriptionsSheet.Subscription(transaction: TransactionID("1"), productID: ProductID("a"), willAutoRenew: true)
        #expect(await terminal.manage(SubscriptionsSheet(subscriptions: [subscription])) == .disableAutoRenew(TransactionID("1")))
        #expect(await terminal.consent(to: PriceConsentSheet(ProductID("a"), nil)) == false)
        #expect(await terminal.askPermission(sheet))
        #expect(console.written.contains("Ask for permission to buy 3 × Coins at $0.99 each, $2.97 in all?"))
        #expect(console.written.contains("Buy 3 × Coins at $0.99 each, $2.97 in all?"))
        #expect(!console.written.contains("ladder"))
    }

    @Test func `the end of the terminal's input cancels every prompt`() async {
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
