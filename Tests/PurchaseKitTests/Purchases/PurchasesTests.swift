import Foundation
import Observation
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing
import Wire

@testable import PurchaseKit

@Suite struct PurchasesTests {
    private let credits = SampleProduct.credits5
    private let sepia = SampleProduct.sepia

    // MARK: Delivering

    @Test(arguments: [(1, 5), (3, 15), (10, 50)] as [(Int, Int64)])
    func `a consumable is credited times its quantity, once, and finished`(_ quantity: Int, _ coins: Int64) async throws {
        let phone = try await Phone()
        let app = try await KitApp.launch(phone)
        #expect(await app.buy(credits, quantity: quantity).delivered?.quantity == quantity)
        #expect(await app.coins() == coins)
        #expect(app.device.paymentQueue.transactions.isEmpty)
        await app.close()
        let again = try await KitApp.launch(phone)
        #expect(await again.coins() == coins)
        #expect(try await phone.charges.count == 1)
    }

    @Test func `a purchase is recorded in the vault before it is finished`() async throws {
        let phone = try await Phone()
        let steps = Mutex<[String]>([])
        let app = try await KitApp.launch(phone) { configuration in
            let vault = configuration.vault
            configuration.step = { step in
                let isRecorded = await !vault.contents.delivered.isEmpty
                steps.withLock {
                    $0.append("\(step.name), recorded: \(isRecorded), finished: \(phone.transport.count(DeviceEndpoints.finish))")
                }
            }
        }
        await app.buy(credits)
        #expect(steps.withLock { $0.first } == "recorded, recorded: true, finished: 0")
        #expect(phone.transport.count(DeviceEndpoints.finish) == 1)
    }

    @Test func `a refund revokes spent credits on the device`() async throws {
        let app = try await KitApp.launch(try await Phone())
        await app.buy(credits)
        let ten = try #require(await app.buy(SampleProduct.credits10).delivered)
        #expect(await app.coins() == 15)
        try await app.phone.harness.refund(ten.id)
        await app.wake()
        try await eventually { await app.coins() == 5 }
        #expect(app.events.all.contains(.revoked(ten.productID, ten.id)))
    }

    @Test func `a refund while the app is not running counts at the next launch`() async throws {
        let phone = try await Phone()
        let ten: Purchase
        do {
            let app = try await KitApp.launch(phone)
            ten = try #require(await app.buy(SampleProduct.credits10).delivered)
            await app.close()
        }
        try await phone.harness.refund(ten.id)
        let app = try await KitApp.launch(phone)
        try await eventually { await app.coins() == 0 }
    }

    @Test func `a refunded feature is no longer owned`() async throws {
        let app = try await KitApp.launch(try await Phone())
        let purchase = try #require(await app.buy(sepia).delivered)
        #expect(await app.state.status(of: "sepia") == .owned(until: nil))
        try await app.phone.harness.refund(purchase.id)
        await app.wake()
        try await eventually { await app.state.status(of: "sepia") == .none }
        #expect(await app.state.entitlements["sepia"]?.state == .revoked)
    }

    @Test func `a subscription ends offline when its period ends`() async throws {
        let wallClock = ManualClock(SystemWallClock().now)
        let app = try await KitApp.launch(try await Phone(), wallClock: wallClock)
        await app.buy(SampleProduct.magazine)
        let name = EntitlementName(SampleProduct.magazine.rawValue)
        guard case .owned(let until?) = await app.state.status(of: name) else {
            Issue.record("The subscription is not owned.")
            return
        }
        app.phone.transport.set(offline: true)
        wallClock.set(Timestamp(until).adding(seconds: 1))
        // The session wakes by itself at the end of the period.
        await app.clock.endSleeps()
        try await eventually { await app.state.status(of: name) == .none }
    }

    @Test func `a download delays no credits behind it`() async throws {
        let gate = Gate()
        let app = try await KitApp.launch(try await Phone()) {
            $0.fulfillments[SampleProduct.moonlight] = .deliver(GatedContent(gate: gate))
        }
        async let book = app.onDevice { await app.purchases.buy(SampleProduct.moonlight) }
        await gate.waitUntilReached()
        try await eventually { await app.state.downloads[SampleProduct.moonlight]?.fraction == 0.5 }
        let outcome = await app.onDevice { await app.purchases.buy(credits) }
        #expect(outcome.delivered != nil)
        #expect(await app.coins() == 5)
        gate.open()
        #expect(await book.delivered != nil)
        #expect(await app.state.downloads.isEmpty)
    }

    @Test func `a delivery that fails is repeated automatically until it succeeds`() async throws {
        let attempts = Mutex(0)
        let app = try await KitApp.launch(try await Phone()) {
            $0.fulfillments[credits] = .perform { _ throws(DeliveryError) in
                if attempts.withLock({
                    $0 += 1
                    return $0
                }) < 3 {
                    throw .later("The server is busy.")
                }
            }
        }
        guard case .purchased(let purchase, .delayed("The server is busy.")) = await app.onDevice({ await app.purchases.buy(credits) })
        else {
            Issue.record("The delivery was not delayed.")
            return
        }
        #expect(await app.state.problems.map(\.kind) == [.deliveryDelayed(credits)])
        for _ in 1...2 { await app.clock.endSleeps() }
        try await eventually { attempts.withLock { $0 } == 3 }
        try await eventually { await app.state.problems.isEmpty }
        #expect(await app.vault.contents.delivered == [purchase.id])
        #expect(Set(app.clock.sleepDurations.suffix(2)) == [.milliseconds(500), .seconds(1)])
    }

    @Test func `a refused delivery stays unfinished until the app retries`() async throws {
        let isRefused = Mutex(true)
        let app = try await KitApp.launch(try await Phone()) {
            $0.fulfillments[credits] = .perform { _ throws(DeliveryError) in
                if isRefused.withLock({ $0 }) { throw .refused("Not this time.") }
            }
        }
        guard case .purchased(_, .refused("Not this time.")) = await app.buy(credits) else {
            Issue.record("The delivery was not refused.")
            return
        }
        #expect(app.device.paymentQueue.transactions.count == 1)
        #expect(await app.state.problems.map(\.kind) == [.deliveryRefused(credits)])
        isRefused.withLock { $0 = false }
        await app.onDevice { await app.purchases.retry() }
        await app.waitUntilIdle()
        #expect(app.device.paymentQueue.transactions.isEmpty)
        #expect(await app.state.problems.isEmpty)
    }

    @Test func `a value of the app changes once for each purchase, in the step that records the transaction`() async throws {
        let phone = try await Phone()
        let fulfillment = Fulfillment.update("items", from: [String]()) { items, purchase in items.append(purchase.id.rawValue) }
        let app = try await KitApp.launch(phone) { $0.fulfillments[credits] = fulfillment }
        let ids = [await app.buy(credits), await app.buy(credits)].compactMap { $0.delivered?.id.rawValue }
        await app.close()
        let again = try await KitApp.launch(phone) { $0.fulfillments[credits] = fulfillment }
        let items = try await again.vault.value("items").map { try JSONDecoder().decode([String].self, from: $0) }
        #expect(items == ids)
        #expect(ids.count == 2)
    }

    @Test func `an app's value of another type leaves the purchase unfinished, and the value unchanged`() async throws {
        let app = try await KitApp.launch(try await Phone()) {
            $0.fulfillments[credits] = .update("items", from: 0) { count, _ in count += 1 }
        }
        try await app.vault.change { _ throws(VaultError) in [.value("items", Data("[]".utf8))] }
        guard case .purchased(_, .delayed) = await app.buy(credits) else {
            Issue.record("The purchase was delivered.")
            return
        }
        #expect(await app.vault.value("items") == Data("[]".utf8))
        #expect(app.device.paymentQueue.transactions.count == 1)
    }

    @Test func `a consumable that this version of the app does not know stays unfinished for a later version`() async throws {
        let phone = try await Phone()
        do {
            let app = try await KitApp.launch(phone) { $0.fulfillments[credits] = nil }
            guard case .purchased(_, .refused) = await app.buy(credits) else {
                Issue.record("The purchase was delivered.")
                return
            }
            await app.close()
        }
        let app = try await KitApp.launch(phone)
        #expect(await app.coins() == 5)
        #expect(app.device.paymentQueue.transactions.isEmpty)
    }

    @Test func `an untrusted transaction is neither delivered nor finished`() async throws {
        let phone = try await Phone()
        let other = try TestAuthority.other.verifier(for: .test)
        let app = try await KitApp.launch(phone) { $0.verifier = other }
        #expect(await app.buy(credits) == .failed(PurchaseFailure(.unverified)))
        #expect(await app.coins() == 0)
        #expect(app.device.paymentQueue.transactions.count == 1)
        #expect(await app.state.problems.map(\.kind) == [.unverifiedPurchase])
    }

    // MARK: Outcomes

    @Test func `a canceled purchase has no message, and the others say what to do`() async throws {
        let phone = try await Phone()
        phone.user.script(confirmations: [false])
        let app = try await KitApp.launch(phone)
        #expect(await app.buy(credits) == .canceled)
        #expect(await app.buy(credits, quantity: 11) == .failed(PurchaseFailure(.invalidQuantity)))
        #expect(await app.buy(sepia, quantity: 2) == .failed(PurchaseFailure(.invalidQuantity)))
        #expect(await app.buy("com.example.unknown") == .failed(PurchaseFailure(.productUnavailable)))
        let offer = PurchaseOffer.promotional(id: "unknown", compactJWS: "a.b.c")
        let outcome = await app.onDevice { await app.purchases.buy(SampleProduct.magazine, offer: offer) }
        #expect(outcome == .failed(PurchaseFailure(.invalidOffer)))
        let monthly = await app.onDevice { await app.purchases.buy(SampleProduct.magazine, billingPlan: .monthly) }
        #expect(monthly == .failed(PurchaseFailure(.productUnavailable)))
        try await app.device.change { $0.restrictsPayments = true }
        #expect(await app.buy(credits) == .failed(PurchaseFailure(.purchaseNotAllowed)))
        #expect(await app.state.canMakePayments == false)
        try await app.device.change { $0.restrictsPayments = false }
        phone.transport.set(offline: true)
        #expect(await app.buy(credits) == .failed(PurchaseFailure(.network)))
        #expect(try await phone.charges.isEmpty)
        #expect(await app.state.purchasing.isEmpty)
    }

    @Test func `an approved purchase is delivered and announced in a later launch`() async throws {
        let phone = try await Phone(askToBuyEnabled: true)
        do {
            let app = try await KitApp.launch(phone)
            #expect(await app.buy(sepia) == .pending)
            #expect(await app.state.pending.map(\.productID) == [sepia])
            await app.close()
        }
        let app = try await KitApp.launch(phone)
        #expect(await app.state.pending.count == 1)
        #expect(await app.state.status(of: "sepia") == .none)
        try await phone.decideApprovals(approve: true)
        await app.wake()
        try await eventually { await app.state.status(of: "sepia").isOwned }
        #expect(await app.state.pending.isEmpty)
        try await eventually { app.events.all.contains { if case .delivered(_, isExpected: false) = $0 { true } else { false } } }
    }

    @Test func `a declined purchase can be dismissed, and is no longer shown after a day`() async throws {
        let wallClock = ManualClock(SystemWallClock().now)
        let phone = try await Phone(askToBuyEnabled: true)
        let app = try await KitApp.launch(phone, wallClock: wallClock)
        await app.buy(sepia)
        await app.buy(SampleProduct.moonlight)
        try await phone.decideApprovals(approve: false)
        await app.wake()
        let pending = await app.state.pending
        #expect(pending.map(\.productID) == [sepia, SampleProduct.moonlight])
        await app.purchases.dismiss(pending[0])
        #expect(await app.state.pending.map(\.productID) == [SampleProduct.moonlight])
        wallClock.advance(seconds: 86_401)
        await app.waitUntilIdle()
        #expect(await app.state.pending.isEmpty)
    }

    @Test func `a purchase on another device is delivered once on this one`() async throws {
        let phone = try await Phone()
        let app = try await KitApp.launch(phone)
        await app.buy(sepia)
        _ = try await phone.harness.buy(credits, for: phone.account)
        await app.wake()
        try await eventually { await app.coins() == 5 }
        try await eventually { app.events.all.contains { if case .delivered(_, isExpected: false) = $0 { true } else { false } } }
    }

    // MARK: State

    @Test func `prices appear automatically when the network is back`() async throws {
        let phone = try await Phone()
        phone.transport.set(offline: true)
        let app = try await KitApp.launch(phone)
        #expect(await app.state.areProductsLoaded == false)
        #expect(await app.state.problems.map(\.kind) == [.storeUnreachable])
        phone.transport.reconnect()
        await app.clock.endSleeps()
        try await eventually { await app.state.areProductsLoaded }
        try await eventually { await app.state.problems.isEmpty }
        #expect(await app.state.product(credits)?.displayPrice == "$0.99")
        #expect(await app.state.product(credits)?.displayPrice(quantity: 4) == "$3.96")
        #expect(await app.state.product(SampleProduct.magazine)?.displayPeriod == "1 month")
    }

    @Test func `ownership is unknown until the store was reached, and not none`() async throws {
        let phone = try await Phone()
        phone.transport.set(offline: true)
        let app = try await KitApp.launch(phone)
        #expect(await app.state.status(of: "sepia") == .unknown)
        phone.transport.reconnect()
        await app.clock.endSleeps()
        try await eventually { await app.state.status(of: "sepia") == .none }
        await app.buy(sepia)
        await app.close()
        phone.transport.set(offline: true)
        let offline = try await KitApp.launch(phone)
        #expect(await offline.state.status(of: "sepia") == .owned(until: nil))
        #expect(await offline.state.status(of: "other") == .none)
    }

    @Test func `the state can be observed as a sequence, with the observation framework, and by notifications`() async throws {
        let app = try await KitApp.launch(try await Phone())
        let notified = Mutex<[Notification.Name]>([])
        let tokens = [Purchases.stateDidChange, Purchases.didReceiveEvent].map { name in
            NotificationCenter.default.addObserver(forName: name, object: app.purchases, queue: nil) { note in
                dispatchPrecondition(condition: .onQueue(.main))
                notified.withLock { $0.append(note.name) }
            }
        }
        let observed = Mutex(0)
        await MainActor.run {
            withObservationTracking {
                _ = app.purchases.state
            } onChange: {
                observed.withLock { $0 += 1 }
            }
        }
        var states = await app.purchases.states.makeAsyncIterator()
        #expect(await states.next()?.balance(of: "coins") == 0)
        await app.buy(credits)
        while let state = await states.next() {
            if state.balance(of: "coins") == 5 { break }
        }
        #expect(observed.withLock { $0 } == 1)
        let names = Set(notified.withLock { $0 })
        #expect(names == [Purchases.stateDidChange, Purchases.didReceiveEvent])
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    @Test func `a clock that was set back is noticed, and does not extend a subscription`() async throws {
        let wallClock = ManualClock(SystemWallClock().now)
        let app = try await KitApp.launch(try await Phone(), wallClock: wallClock)
        await app.buy(SampleProduct.magazine)
        #expect(await app.state.problems.isEmpty)
        wallClock.advance(seconds: -30 * 86_400)
        await app.waitUntilIdle()
        #expect(await app.state.problems.map(\.kind) == [.clockSetBack])
        wallClock.advance(seconds: 30 * 86_400)
        await app.waitUntilIdle()
        #expect(await app.state.problems.isEmpty)
    }

    @Test func `a subscription whose end the App Store's dates have passed is not extended by a clock that is set back`() async throws {
        let (phone, wallClock) = (try await Phone(), ManualClock(SystemWallClock().now))
        let app = try await KitApp.launch(phone, wallClock: wallClock)
        await app.buy(SampleProduct.magazine)
        let name = EntitlementName(SampleProduct.magazine.rawValue)
        guard case .owned(let until?) = await app.state.status(of: name) else {
            Issue.record("The subscription is not owned.")
            return
        }
        phone.transport.set(offline: true)
        try await app.vault.change { _ throws(VaultError) in [.time(Timestamp(until).adding(seconds: 1))] }
        await app.waitUntilIdle()
        #expect(await app.state.status(of: name) == .none)
        await app.close()
        let again = try await KitApp.launch(phone, wallClock: wallClock)
        #expect(await again.state.status(of: name) == .none)
        #expect(await again.state.problems.map(\.kind).contains(.clockSetBack))
    }

    @Test func `a shared purchase is owned as shared, and ends when the member leaves the family`() async throws {
        let (owner, member) = (try await Phone(), try await Phone())
        let family = UUID().uuidString
        for phone in [owner, member] { try await phone.harness.set(phone.account) { $0.family = family } }
        try await owner.buy(SampleProduct.moonlight)
        let app = try await KitApp.launch(member)
        try await app.device.signIn(member.credentials)
        await app.onDevice { await app.purchases.retry() }
        let name = EntitlementName(SampleProduct.moonlight.rawValue)
        #expect(await app.state.entitlements[name]?.isFamilyShared == true)
        #expect(await app.state.status(of: name).isOwned)
        try await member.harness.set(member.account) { $0.family = "" }
        await app.wake()
        try await eventually { await app.state.status(of: name) == .none }
        #expect(await app.state.entitlements[name]?.state == .revoked)
    }

    @Test func `two sessions with one vault deliver a purchase once`() async throws {
        let phone = try await Phone()
        try await phone.buy(credits, finishing: false)
        let device = try phone.launch()
        await device.waitUntilIdle()
        let vault = try await Vault(
            path: phone.folder.file("vault").path(percentEncoded: false), keychain: MemoryKeychain(), bundleID: .test)
        let items = Fulfillment.update("items", from: 0) { count, _ in count += 1 }
        // Both sessions are at the point before the record when the first one continues.
        let gate = Gate()
        let reached = Mutex(0)
        let fulfillment = Fulfillment.perform { _ throws(DeliveryError) in
            if reached.withLock({
                $0 += 1
                return $0
            }) == 1 {
                await gate.pass()
            } else {
                gate.open()
            }
        }.and(items)
        var apps: [KitApp] = []
        for _ in 1...2 {
            apps.append(
                try await KitApp.launch(phone, on: device, vault: vault, server: nil, customer: nil) {
                    $0.fulfillments[credits] = fulfillment
                })
        }
        for app in apps { await app.waitUntilIdle() }
        #expect(reached.withLock { $0 } == 2)
        #expect(try await vault.value("items").map { try JSONDecoder().decode(Int.self, from: $0) } == 1)
        #expect(device.paymentQueue.transactions.isEmpty)
    }

    @Test func `a session that is released is deallocated`() async throws {
        let phone = try await Phone()
        weak var purchases: Purchases?
        weak var vault: Vault?
        do {
            let app = try await KitApp.launch(phone)
            await app.buy(credits)
            purchases = app.purchases
            vault = app.vault
            await app.close()
        }
        try await eventually { purchases == nil && vault == nil }
    }

    // MARK: What StoreKit wants to show

    @Test(arguments: [PurchasePresentation.PromotionDecision.buy, .later, .discard])
    func `a promoted purchase is bought, kept for later, or discarded, as the app decides`(
        _ decision: PurchasePresentation.PromotionDecision
    ) async throws {
        let phone = try await Phone()
        let device = try await phone.launchSignedIn()
        await device.waitUntilIdle()
        let app = try await KitApp.launch(phone) { $0.presentation.decidePromotedPurchase = { _ in decision } }
        try await phone.harness.promote(sepia, to: phone.account)
        await app.wake()
        switch decision {
        case .buy: try await eventually { await app.state.status(of: "sepia").isOwned }
        case .discard:
            await app.waitUntilIdle()
            #expect(await app.state.promotedPurchases.isEmpty)
            #expect(try await phone.charges.isEmpty)
        case .later:
            try await eventually { await app.state.promotedPurchases.map(\.id) == [sepia] }
            #expect(try await phone.charges.isEmpty)
            let promotion = try #require(await app.state.promotedPurchases.first)
            #expect(await app.onDevice { await app.purchases.continuePromoted(promotion) }.delivered != nil)
            #expect(await app.state.promotedPurchases.isEmpty)
        }
    }

    @Test func `an interrupted purchase that succeeds later is delivered and announced`() async throws {
        let phone = try await Phone()
        try await phone.harness.set(phone.account) { $0.interruptedPurchasesEnabled = true }
        let app = try await KitApp.launch(phone)
        let outcome = await app.buy(credits)
        guard case .failed = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(await app.coins() == 0)
        for interrupted in try await phone.harness.call(ControlEndpoints.interruptions, Empty()).pending
        where interrupted.account == phone.account {
            _ = try await phone.harness.call(
                ControlEndpoints.resolveInterruption, Empty(), ["payment": interrupted.payment.rawValue])
        }
        await app.wake()
        try await eventually { await app.coins() == 5 }
        try await eventually { app.events.all.contains { if case .delivered(_, isExpected: false) = $0 { true } else { false } } }
        #expect(try await phone.charges.count == 1)
    }

    /// Brings the app to the foreground.
    private func foreground(_ app: KitApp) async {
        await app.wake()
        await app.onDevice { await app.purchases.retry() }
    }

    @Test func `a message of the App Store is shown by the app, and a price increase and a declined payment are problems`() async throws {
        try await StoreHarness.run { store in
            let phone = try await Phone(account: .test, at: store)
            try await store.createAccount(.test)
            let shown = ShownMessages()
            let app = try await KitApp.launch(phone, wallClock: store.clock) {
                $0.products = .builtIn([ProductID.magazine, ProductID.magazineWeekly])
                $0.presentation.show = { message in shown.append(message) }
                $0.presentation.decideDuringBillingIssue = { wanted, declined in
                    shown.append(wanted, declined)
                    return false
                }
            }
            let purchase = try #require(await app.buy(ProductID.magazine).delivered)
            // Data that is signed in the same millisecond has no order.
            try await store.advance(seconds: 1)
            try await store.perform(SubscriptionRequest(.increasePriceWithConsent, price: 4_990), on: purchase.id)
            await foreground(app)
            try await eventually { await app.state.problems.map(\.kind) == [.priceIncreaseConsent(ProductID.magazine)] }
            try await store.advance(seconds: 1)
            try await store.perform(SubscriptionRequest(.consentToPriceIncrease), on: purchase.id)
            await foreground(app)
            try await eventually { await app.state.problems.isEmpty }
            try await store.setPaymentMethod(isValid: false)
            try await store.advance(days: 31)
            await foreground(app)
            // The clock of the device does not follow the store's.
            try await eventually { await app.state.problems.map(\.kind) == [.clockSetBack, .billingIssue(ProductID.magazine)] }
            try await eventually { shown.reasons.contains(.billingIssue) }
            // The person is asked before a second subscription is bought.
            #expect(await app.buy(ProductID.magazineWeekly) == .canceled)
            #expect(shown.questions == [[ProductID.magazineWeekly, ProductID.magazine]])
            // After the grace period, the access ends, and the problem stays.
            try await store.advance(days: 20)
            await foreground(app)
            try await eventually { await app.state.entitlements[EntitlementName(ProductID.magazine.rawValue)]?.state == .billingRetry }
            #expect(await app.state.status(of: EntitlementName(ProductID.magazine.rawValue)) == .none)
            #expect(await app.state.problems.map(\.kind) == [.clockSetBack, .billingIssue(ProductID.magazine)])
            try await store.setPaymentMethod(isValid: true)
            await foreground(app)
            try await eventually { await app.state.problems.map(\.kind) == [.clockSetBack] }
        }
    }
}

extension DeliveryStep {
    /// The name of the step, without its product.
    fileprivate var name: String { "\(self)".split(separator: "(").first.map(String.init) ?? "" }
}

/// The messages that an app has shown, and the products of its questions.
private final class ShownMessages: Sendable {
    private let stored = Mutex<[Message.Reason]>([])

    var reasons: [Message.Reason] { stored.withLock { $0 } }

    func append(_ message: Message) {
        stored.withLock { $0.append(message.reason) }
    }

    private let asked = Mutex<[[ProductID]]>([])

    var questions: [[ProductID]] { asked.withLock { $0 } }

    func append(_ products: ProductID...) {
        asked.withLock { $0.append(products) }
    }
}

/// A point at which a test holds a task.
final class Gate: Sendable {
    private let reached = AsyncStream.makeStream(of: Void.self)
    private let opened = AsyncStream.makeStream(of: Void.self)

    /// Waits until the gate is open.
    func pass() async {
        reached.continuation.yield()
        for await _ in opened.stream { break }
    }

    func waitUntilReached() async {
        for await _ in reached.stream { break }
    }

    func open() {
        opened.continuation.finish()
    }
}

/// Content whose download stops in the middle until a gate is open.
struct GatedContent: ContentDelivery {
    let gate: Gate

    func install(
        _ purchase: Purchase, report: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(DeliveryError) -> InstalledContent {
        report(50, 100)
        await gate.pass()
        return .sample
    }
}
