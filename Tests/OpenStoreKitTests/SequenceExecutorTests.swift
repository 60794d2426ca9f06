import Dispatch
import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProtocol
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit
@testable import StoreKit

/// Where loops over StoreKit 2's sequences go on, and what is held meanwhile.
@Suite struct SequenceExecutorTests {
    private final class Heard: Sendable {
        private let state = Mutex<[String]>([])
        var all: [String] { state.withLock { $0 } }
        func add(_ text: String) { state.withLock { $0.append(text) } }
    }

    private func onPhone(_ body: (TestPhone, Device) async throws -> Void) async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        try await Device.$current.withValue(device) { try await body(phone, device) }
    }

    /// What a device tells becomes an element on the loop's own thread, and no other thread comes in between.
    private func expectItStays<Elements: AsyncSequence & Sendable>(
        _ sequence: @Sendable (Supply<Elements.Element>) -> Elements, of element: Elements.Element
    ) async throws where Elements.Failure == Never, Elements.Element: Sendable {
        try await onPhone { _, device in
            let heard = Heard()
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            let supply = Supply<Elements.Element>(device, { _ in stream }) { told, _ in
                heard.add("\(told) made here: \(Place.isHere)")
                return element
            }
            for number in 1...3 { continuation.yield(number) }
            continuation.finish()
            await Place().listen(to: sequence(supply)) { _ in heard.add("heard here: \(Place.isHere)") }
            #expect(heard.all == (1...3).flatMap { ["\($0) made here: true", "heard here: true"] })
        }
    }

    @Test func `a loop on an actor does not leave it between two elements`() async throws {
        let storefront = Storefront(countryCode: "USA", id: "143441", currency: nil)
        try await expectItStays({ Storefront.Storefronts($0) }, of: storefront)
        let told = StoreMessage(id: "m", reason: .generic, productID: MonkeyShopProduct.magazine, originalTransactionID: "1")
        try await expectItStays({ Message.Messages($0) }, of: Message(told))
        let phone = try await TestPhone()
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            let product = try #require(try await Product.products(for: [MonkeyShopProduct.magazine.rawValue]).first)
            guard case .success(let bought) = try await product.purchase() else { throw CancellationError() }
            let status = try #require(try await product.subscription?.status.first)
            try await expectItStays({ PurchaseIntent.PurchaseIntents($0) }, of: PurchaseIntent(product: product, offer: nil))
            try await expectItStays({ Transaction.Transactions($0) }, of: bought)
            try await expectItStays({ Product.SubscriptionInfo.Status.Statuses($0) }, of: status)
        }
    }

    @Test func `whoever tells holds no lock while loops go on`() async throws {
        try await onPhone { phone, device in
            let news = device.engine.news
            let heard = Heard()
            // All of the loops runs there, also what waits inside of them.
            let executor = Place.Executor()
            let loops = [
                Task(executorPreference: executor) { for await _ in Storefront.updates {} },
                Task(executorPreference: executor) { for await _ in Message.messages {} },
            ]
            while news.storefronts.listenerCount == 0 || news.messages.listenerCount == 0 { await Task.yield() }
            // They are listened to on the way to the first wait, which is reached before anything else runs there.
            await executor.pass()
            let told = StoreMessage(id: "m", reason: .generic, productID: MonkeyShopProduct.magazine, originalTransactionID: "1")
            let pendingDeliveries = PendingDelivery(value: told, deliveryID: DeliveryID(name: "m", account: phone.account))
            await Self.tell {
                // Telling has the loops go on, which calls this.
                executor.hear {
                    guard DispatchQueue.getSpecific(key: Self.teller) == true else { return }
                    let isFree = Self.isDone {
                        _ = (device.storefrontUpdates(), device.messages(), news.messages.kept)
                        news.storefronts.forget { _ in false }
                        _ = (device.paymentQueue.transactions, device.account, device.settings)
                    }
                    heard.add("free: \(isFree)")
                }
                news.storefronts.tell(.unitedStates)
                news.messages.tell(pendingDeliveries)
                executor.hear(nil)
            }
            #expect(heard.all == ["free: true", "free: true"])
            for loop in loops { loop.cancel() }
        }
    }

    @Test func `a loop that takes its time holds up nobody`() async throws {
        try await onPhone { phone, device in
            let gate = DispatchSemaphore(value: 0)
            let (entered, entering) = AsyncStream.makeStream(of: Void.self)
            let heard = Heard()
            let loop = Task {
                await Place().listen(to: Transaction.updates) { result in
                    entering.yield()
                    gate.wait()
                    heard.add(result.unsafePayloadValue.productID)
                }
            }
            let witness = Witness(finishes: true)
            device.paymentQueue.add(witness)
            device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia))
            for await _ in entered { break }
            // The loop stands; purchases, observers and other loops go on.
            device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.moonlight))
            await device.settle()
            #expect(witness.identifiers.count == 2 && device.paymentQueue.transactions.isEmpty)
            #expect(await device.purchases().count == 2)
            #expect(heard.all.isEmpty)
            for _ in 1...2 { gate.signal() }
            while heard.all.count < 2 { await Task.yield() }
            #expect(heard.all == [MonkeyShopProduct.sepia.rawValue, MonkeyShopProduct.moonlight.rawValue])
            loop.cancel()
        }
    }

    @MainActor @Test func `on the main actor every loop goes on there`() async throws {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let phone = try await TestPhone()
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            let product = try #require(try await Product.products(for: [MonkeyShopProduct.magazine.rawValue]).first)
            guard case .success = try await product.purchase() else { throw CancellationError() }
            var places: [Bool] = []
            for sequence in [Transaction.all, Transaction.unfinished, Transaction.currentEntitlements] {
                for await _ in sequence { places.append(DispatchQueue.getSpecific(key: key) == true) }
            }
            let heard = Heard()
            let supply = Supply<StoreKit.Storefront>(
                device,
                { _ in
                    AsyncStream {
                        $0.yield(1)
                        $0.finish()
                    }
                }
            ) { _, _ in
                heard.add("made here: \(DispatchQueue.getSpecific(key: key) == true)")
                return Storefront(countryCode: "USA", id: "143441", currency: nil)
            }
            for await _ in Storefront.Storefronts(supply) { places.append(DispatchQueue.getSpecific(key: key) == true) }
            #expect(places == [true, true, true, true])
            #expect(heard.all == ["made here: true"])
        }
    }

    private static let teller = DispatchSpecificKey<Bool>()

    /// Does something on a thread that can be recognized.
    private static func tell(_ body: @escaping @Sendable () -> Void) async {
        let queue = DispatchQueue(label: "SequenceExecutorTests")
        queue.setSpecific(key: teller, value: true)
        await withCheckedContinuation { continuation in
            queue.async {
                body()
                continuation.resume()
            }
        }
    }

    /// Whether something is done soon on another thread.
    private static func isDone(_ body: @escaping @Sendable () -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            done.signal()
        }
        return done.wait(timeout: .now() + 5) == .success
    }
}
