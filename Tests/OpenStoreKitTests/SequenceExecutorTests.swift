import Dispatch
import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit
@testable import StoreKit

/// The executors on which loops over StoreKit 2's sequences resume.
@Suite struct SequenceExecutorTests {
    private final class Log: Sendable {
        private let state = Mutex<[String]>([])
        var all: [String] { state.withLock { $0 } }
        func add(_ text: String) { state.withLock { $0.append(text) } }
    }

    private func withSignedInDevice(_ body: (Phone, Device) async throws -> Void) async throws {
        let phone = try await Phone()
        let device = try await phone.launchSignedIn()
        try await Device.$current.withValue(device) { try await body(phone, device) }
    }

    /// Expects that a sequence makes its elements on the loop's executor.
    private func expectIsolation<Elements: AsyncSequence & Sendable>(
        _ sequence: @Sendable (ElementSource<Elements.Element>) -> Elements, of element: Elements.Element
    ) async throws where Elements.Failure == Never, Elements.Element: Sendable {
        try await withSignedInDevice { _, device in
            let log = Log()
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            let source = ElementSource<Elements.Element>(device, { _ in stream }) { value, _ in
                log.add("\(value) created on executor: \(QueueActor.isCurrent)")
                return element
            }
            for number in 1...3 { continuation.yield(number) }
            continuation.finish()
            await QueueActor().listen(to: sequence(source)) { _ in log.add("received on executor: \(QueueActor.isCurrent)") }
            #expect(log.all == (1...3).flatMap { ["\($0) created on executor: true", "received on executor: true"] })
        }
    }

    @Test func `a loop on an actor stays on the actor between elements`() async throws {
        let storefront = Storefront(countryCode: "USA", id: "143441", currency: nil)
        try await expectIsolation({ Storefront.Storefronts($0) }, of: storefront)
        let value = StoreMessage(id: "m", reason: .generic, productID: SampleProduct.magazine, originalTransactionID: "1")
        try await expectIsolation({ Message.Messages($0) }, of: Message(value))
        let phone = try await Phone()
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            let product = try #require(try await Product.products(for: [SampleProduct.magazine.rawValue]).first)
            guard case .success(let bought) = try await product.purchase() else { throw CancellationError() }
            let status = try #require(try await product.subscription?.status.first)
            try await expectIsolation({ PurchaseIntent.PurchaseIntents($0) }, of: PurchaseIntent(product: product, offer: nil))
            try await expectIsolation({ Transaction.Transactions($0) }, of: bought)
            try await expectIsolation({ Product.SubscriptionInfo.Status.Statuses($0) }, of: status)
        }
    }

    @Test func `no lock is held while an announcement resumes loops`() async throws {
        try await withSignedInDevice { phone, device in
            let deviceEvents = device.engine.deviceEvents
            let log = Log()
            // The loops and their waits run on this executor.
            let executor = QueueActor.Executor()
            let loops = [
                Task(executorPreference: executor) { for await _ in Storefront.updates {} },
                Task(executorPreference: executor) { for await _ in Message.messages {} },
            ]
            try await eventually { deviceEvents.storefronts.listenerCount > 0 && deviceEvents.messages.listenerCount > 0 }
            // Both listeners are registered; drain() returns when the loops have reached their first wait.
            await executor.drain()
            let value = StoreMessage(id: "m", reason: .generic, productID: SampleProduct.magazine, originalTransactionID: "1")
            let pendingDelivery = PendingDelivery(value: value, deliveryID: DeliveryID(name: "m", account: phone.account))
            await Self.broadcast {
                // An announcement resumes the loops, which enqueues a job and calls this handler.
                executor.onEnqueue {
                    guard DispatchQueue.getSpecific(key: Self.broadcastQueueKey) == true else { return }
                    let isFree = Self.completes {
                        _ = (device.storefrontUpdates(), device.messages(), deviceEvents.messages.kept)
                        deviceEvents.storefronts.forget { _ in false }
                        _ = (device.paymentQueue.transactions, device.account, device.settings)
                    }
                    log.add("free: \(isFree)")
                }
                deviceEvents.storefronts.announce(.unitedStates)
                deviceEvents.messages.announce(pendingDelivery)
                executor.onEnqueue(nil)
            }
            #expect(log.all == ["free: true", "free: true"])
            for loop in loops { loop.cancel() }
        }
    }

    @Test func `a blocked loop does not block purchases, observers or other loops`() async throws {
        try await withSignedInDevice { phone, device in
            let gate = DispatchSemaphore(value: 0)
            let (entered, entering) = AsyncStream.makeStream(of: Void.self)
            let log = Log()
            let loop = Task {
                await QueueActor().listen(to: Transaction.updates) { result in
                    entering.yield()
                    gate.wait()
                    log.add(result.unsafePayloadValue.productID)
                }
            }
            let recorder = RecordingObserver(finishes: true)
            device.paymentQueue.add(recorder)
            device.paymentQueue.add(Phone.payment(SampleProduct.sepia))
            for await _ in entered { break }
            // The loop is blocked; purchases and observers continue.
            device.paymentQueue.add(Phone.payment(SampleProduct.moonlight))
            await device.waitUntilIdle()
            #expect(recorder.identifiers.count == 2 && device.paymentQueue.transactions.isEmpty)
            #expect(await device.purchases().count == 2)
            #expect(log.all.isEmpty)
            for _ in 1...2 { gate.signal() }
            try await eventually { log.all.count >= 2 }
            #expect(log.all == [SampleProduct.sepia.rawValue, SampleProduct.moonlight.rawValue])
            loop.cancel()
        }
    }

    @MainActor @Test func `loops on the main actor resume on the main actor`() async throws {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let phone = try await Phone()
        let device = try phone.launch()
        try await Device.$current.withValue(device) {
            let product = try #require(try await Product.products(for: [SampleProduct.magazine.rawValue]).first)
            guard case .success = try await product.purchase() else { throw CancellationError() }
            var places: [Bool] = []
            for sequence in [Transaction.all, Transaction.unfinished, Transaction.currentEntitlements] {
                for await _ in sequence { places.append(DispatchQueue.getSpecific(key: key) == true) }
            }
            let log = Log()
            let source = ElementSource<StoreKit.Storefront>(
                device,
                { _ in
                    AsyncStream {
                        $0.yield(1)
                        $0.finish()
                    }
                }
            ) { _, _ in
                log.add("created on main queue: \(DispatchQueue.getSpecific(key: key) == true)")
                return Storefront(countryCode: "USA", id: "143441", currency: nil)
            }
            for await _ in Storefront.Storefronts(source) { places.append(DispatchQueue.getSpecific(key: key) == true) }
            #expect(places == [true, true, true, true])
            #expect(log.all == ["created on main queue: true"])
        }
    }

    private static let broadcastQueueKey = DispatchSpecificKey<Bool>()

    /// Runs `body` on a queue that ``broadcastQueueKey`` identifies.
    private static func broadcast(_ body: @escaping @Sendable () -> Void) async {
        let queue = DispatchQueue(label: "SequenceExecutorTests")
        queue.setSpecific(key: broadcastQueueKey, value: true)
        await withCheckedContinuation { continuation in
            queue.async {
                body()
                continuation.resume()
            }
        }
    }

    /// Whether `body` returns within five seconds on another thread.
    private static func completes(_ body: @escaping @Sendable () -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            done.signal()
        }
        return done.wait(timeout: .now() + 5) == .success
    }
}
