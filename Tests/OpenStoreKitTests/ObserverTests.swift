import Dispatch
import Foundation
import PurchaseModel
import StoreKit
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit

@Suite struct ObserverTests {
    private let credits = SampleProduct.credits5

    @Test func `a late observer receives unfinished transactions once`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let first = RecordingObserver()
        device.paymentQueue.add(first)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        let before = first.events
        let late = RecordingObserver()
        device.paymentQueue.add(late)
        await device.waitUntilIdle()
        #expect(late.events == [.updated(.purchased, credits.rawValue)])
        #expect(first.events == before)
    }

    @Test func `a removed observer receives nothing, not even queued callbacks`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let first = RecordingObserver()
        let removed = RecordingObserver()
        device.paymentQueue.add(first)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        // The callback queue is blocked until the observer has been added and removed.
        let gate = DispatchSemaphore(value: 0)
        device.callbacks.submit { gate.wait() }
        device.paymentQueue.add(removed)
        device.paymentQueue.remove(removed)
        gate.signal()
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(removed.events.isEmpty)
        #expect(first.identifiers.count == 2)
        #expect(device.paymentQueue.transactionObservers.count == 1)
    }

    @Test func `an observer that another observer removes during a callback is not called`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let second = RecordingObserver()
        let first = RecordingObserver { [queue = device.paymentQueue] _ in queue.remove(second) }
        device.paymentQueue.add(first)
        device.paymentQueue.add(second)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(first.events.count == 2)
        #expect(second.events.isEmpty)
    }

    @Test func `observers are called in order, one at a time, without a lock held`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let recorded = Mutex<[String]>([])
        let inside = Atomic(0)
        let observers = ["a", "b", "c"].map { name in
            RecordingObserver { [queue = device.paymentQueue] event in
                #expect(inside.wrappingAdd(1, ordering: .relaxed).newValue == 1)
                // Calls to the queue from a callback must not deadlock.
                _ = queue.transactions
                _ = queue.transactionObservers
                recorded.withLock { $0.append("\(name) \(event)") }
                inside.wrappingSubtract(1, ordering: .relaxed)
            }
        }
        for observer in observers { device.paymentQueue.add(observer) }
        device.paymentQueue.add(observers[0])  // Adding an observer again moves it to the end.
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        let names = recorded.withLock { $0.map { String($0.prefix(1)) } }
        #expect(names == ["b", "c", "a", "b", "c", "a"])
    }

    @Test func `the queue does not retain observers`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        weak var gone: RecordingObserver?
        do {
            let recorder = RecordingObserver()
            gone = recorder
            device.paymentQueue.add(recorder)
            await device.waitUntilIdle()
        }
        #expect(gone == nil)
        #expect(device.paymentQueue.transactionObservers.isEmpty)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(try await phone.charges.count == 1)
    }

    @Test func `a payment that is added before the first observer is kept across a relaunch`() async throws {
        let phone = try await Phone()
        do {
            let device = try phone.launch()
            device.paymentQueue.add(Phone.payment(credits))
            await device.waitUntilIdle()
            #expect(phone.transport.calls.isEmpty)
        }
        let recorder = RecordingObserver()
        let device = try phone.launch()
        device.paymentQueue.add(Phone.payment(SampleProduct.sepia))
        device.paymentQueue.add(recorder)
        await device.waitUntilIdle()
        #expect(try await phone.charges.map(\.productID) == [credits, SampleProduct.sepia])
        #expect(
            recorder.events == [
                .updated(.purchasing, credits.rawValue), .updated(.purchasing, SampleProduct.sepia.rawValue),
                .updated(.purchased, credits.rawValue), .updated(.purchased, SampleProduct.sepia.rawValue),
            ]
        )
    }

    @Test func `a transaction is one object in all its states, and finishing it while purchasing has no effect`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let objects = Mutex<Set<ObjectIdentifier>>([])
        let recorder = RecordingObserver { [queue = device.paymentQueue] _ in
            for transaction in queue.transactions {
                objects.withLock { _ = $0.insert(ObjectIdentifier(transaction)) }
                if transaction.transactionState == .purchasing { queue.finishTransaction(transaction) }
            }
        }
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(objects.withLock { $0.count } == 1)
        #expect(device.paymentQueue.transactions.map(\.transactionState) == [.purchased])
        device.paymentQueue.finishTransaction(SKPaymentTransaction())
        await device.waitUntilIdle()
        #expect(device.paymentQueue.transactions.count == 1)
    }
}
