import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreKit
import StoreTestSupport
import Synchronization

@testable import PurchaseKit

/// An app session that observes StoreKit 1's payment queue.
struct ClassicApp: Sendable {
    /// Which APIs of StoreKit the app listens to.
    enum Listening: CaseIterable, Sendable {
        /// The payment queue only.
        case queue
        /// The payment queue, and StoreKit 2's sequences.
        case both
    }

    // The phone retains its temporary folder.
    let phone: Phone
    let device: Device
    let vault: Vault
    let purchases: Purchases
    let observer: PaymentObserver
    /// The clock of the kit's delays.
    let clock: TestClock
    let events: ClassicEvents
    /// The purchases whose delivery has called the app, in order.
    let deliveries: DeliveryRecord
    let listening: Listening

    /// Launches the app, and waits until it is idle.
    ///
    /// Each product of the sample catalog calls ``deliveries`` and has its effect in the vault.
    static func launch(
        _ phone: Phone, listening: Listening = .both, verifier: SignedDataVerifier? = nil, customer: CustomerID? = nil,
        hostedContent: HostedContentDelivery? = nil, receipt: ReceiptMaker? = nil, waits: Bool = true,
        _ configure: (inout PurchasesConfiguration) -> Void = { _ in }
    ) async throws -> ClassicApp {
        let device = try phone.launch()
        let verifier = verifier ?? phone.harness.verifier
        let vault = try await Vault(
            path: phone.folder.file("vault").path(percentEncoded: false),
            keychain: try FileKeychain(folder: phone.folder.file("keychain").path(percentEncoded: false)),
            bundleID: .test)
        let (clock, deliveries) = (TestClock(), DeliveryRecord())
        let record = Fulfillment.perform { purchase throws(DeliveryError) in try await deliveries.deliver(purchase) }
        var fulfillments: [ProductID: Fulfillment] = [
            SampleProduct.credits5: .credit("coins", 5), SampleProduct.credits10: .credit("coins", 10),
        ]
        for product in [SampleProduct.sepia, SampleProduct.moonlight, SampleProduct.book, SampleProduct.magazine] {
            fulfillments[product] = .unlock(EntitlementName(product.rawValue))
        }
        var configuration = PurchasesConfiguration(
            products: .builtIn(fulfillments.keys.sorted()), fulfillments: fulfillments.mapValues { record.and($0) }, vault: vault,
            verifier: verifier, customer: customer)
        configuration.clock = clock
        configuration.retrySchedule = RetrySchedule { 0 }
        configure(&configuration)
        let receipt = try receipt?.make(device)
        let (purchases, observer, events) = await Device.$current.withValue(device) {
            await MainActor.run { [configuration] in
                let purchases = Purchases(configuration)
                let events = ClassicEvents(purchases.events)
                if listening == .both { purchases.start() }
                let observer = PaymentObserver(purchases, hostedContent: hostedContent, receipt: receipt)
                observer.start()
                return (purchases, observer, events)
            }
        }
        let app = ClassicApp(
            phone: phone, device: device, vault: vault, purchases: purchases, observer: observer, clock: clock, events: events,
            deliveries: deliveries, listening: listening)
        if waits { await app.waitUntilIdle() }
        return app
    }

    /// Runs code with the device as the current one, as an app's code runs.
    func onDevice<Result: Sendable>(_ body: @MainActor @Sendable () async throws -> Result) async rethrows -> Result {
        try await Device.$current.withValue(device) { try await body() }
    }

    /// Waits until the device is idle and one attempt was made to deliver each unfinished purchase.
    func waitUntilIdle() async {
        await onDevice {
            for _ in 1...2 {
                await device.waitUntilIdle()
                await observer.waitUntilIdle()
                if listening == .both { await purchases.waitUntilIdle() }
            }
            await device.waitUntilIdle()
        }
    }

    @discardableResult
    func buy(_ product: ProductID, quantity: Int = 1, username: String? = nil) async -> PurchaseOutcome {
        let outcome = await observer.buy(Phone.payment(product, quantity: quantity, username: username))
        await waitUntilIdle()
        return outcome
    }

    /// Purchases a product, and returns the identifier of the delivered transaction; nil if the purchase was not delivered.
    func buyDelivered(_ product: ProductID) async -> TransactionID? {
        if case .purchased(let purchase, .delivered) = await buy(product) { purchase.id } else { nil }
    }

    /// Restores after the tap on a button, and waits until the app is idle.
    func restore(
        reason: String? = nil, username: String? = nil,
        _ choose: @escaping @MainActor @Sendable ([RestorableProduct]) async -> Set<ProductID>
    ) async -> RestoreOutcome {
        let outcome = await onDevice {
            await Device.withUserGesture { await observer.restore(reason: reason, applicationUsername: username, choose: choose) }
        }
        await waitUntilIdle()
        return outcome
    }

    /// Restores every product that is offered.
    func restoreAll() async -> RestoreOutcome {
        await restore { Set($0.map(\.productID)) }
    }

    func refreshReceipt() async -> ReceiptRefreshOutcome {
        let outcome = await onDevice { await Device.withUserGesture { await observer.refreshReceipt() } }
        await waitUntilIdle()
        return outcome
    }

    /// Ends the app session.
    func close() async {
        observer.stop()
        await purchases.stop()
    }

    var queue: SKPaymentQueue { device.paymentQueue }

    var state: PurchasesState {
        get async { await purchases.state }
    }

    func coins() async -> Int64 { await state.balance(of: "coins") }

    /// Another phone of an account that purchased and finished the products on its first phone.
    static func secondPhone(_ products: ProductID...) async throws -> Phone {
        let first = try await Phone()
        for product in products { try await first.buy(product) }
        return try await Phone(account: first.account)
    }
}

/// Creates the verification of the receipt of a device.
struct ReceiptMaker {
    let make: (Device) throws -> ReceiptVerification
}

/// The purchases that an app was asked to deliver, and the errors of its next deliveries.
final class DeliveryRecord: Sendable {
    private struct State {
        var purchases: [Purchase] = []
        var failures: [DeliveryError] = []
    }

    private let state = Mutex(State())

    var all: [Purchase] { state.withLock { $0.purchases } }
    var ids: [TransactionID] { all.map(\.id) }

    /// Sets the errors of the next deliveries.
    func fail(_ errors: DeliveryError...) {
        state.withLock { $0.failures += errors }
    }

    func deliver(_ purchase: Purchase) async throws(DeliveryError) {
        if let failure = state.withLock({ $0.failures.isEmpty ? nil : $0.failures.removeFirst() }) { throw failure }
        state.withLock { $0.purchases.append(purchase) }
    }
}

/// A number of calls.
final class CallCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increase() {
        count.withLock { $0 += 1 }
    }
}

/// The events of an app session, in their order.
final class ClassicEvents: Sendable {
    private let recorded = Mutex<[PurchaseEvent]>([])

    init(_ events: AsyncStream<PurchaseEvent>) {
        Task { [weak self] in
            for await event in events { self?.recorded.withLock { $0.append(event) } }
        }
    }

    var all: [PurchaseEvent] { recorded.withLock { $0 } }

    /// The announced products of restored transactions.
    var restorable: [[ProductID]] { all.compactMap { if case .restorable(let products, _) = $0 { products } else { nil } } }
}
