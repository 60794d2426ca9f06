import Dispatch
import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProtocol
import StoreKit
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit

@Suite struct ObserverTests {
    private let credits = MonkeyShopProduct.credits5

    @Test func `a late observer is told of what is unfinished, once`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let first = Witness()
        device.paymentQueue.add(first)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        let before = first.notes
        let late = Witness()
        device.paymentQueue.add(late)
        await device.settle()
        #expect(late.notes == [.updated(.purchased, credits.rawValue)])
        #expect(first.notes == before)
    }

    @Test func `a removed observer hears nothing, not even what was on its way`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let first = Witness()
        let removed = Witness()
        device.paymentQueue.add(first)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        // The callback queue is held up until the observer has come and gone.
        let gate = DispatchSemaphore(value: 0)
        device.callbacks.submit { gate.wait() }
        device.paymentQueue.add(removed)
        device.paymentQueue.remove(removed)
        gate.signal()
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(removed.notes.isEmpty)
        #expect(first.identifiers.count == 2)
        #expect(device.paymentQueue.transactionObservers.count == 1)
    }

    @Test func `an observer that another removes meanwhile is not called`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let second = Witness()
        let first = Witness { [queue = device.paymentQueue] _ in queue.remove(second) }
        device.paymentQueue.add(first)
        device.paymentQueue.add(second)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(first.notes.count == 2)
        #expect(second.notes.isEmpty)
    }

    @Test func `observers are called one after the other in their order, on one queue, without a lock`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let heard = Mutex<[String]>([])
        let inside = Atomic(0)
        let observers = ["a", "b", "c"].map { name in
            Witness { [queue = device.paymentQueue] note in
                #expect(inside.wrappingAdd(1, ordering: .relaxed).newValue == 1)
                // Calling the queue from inside must not hang.
                _ = queue.transactions
                _ = queue.transactionObservers
                heard.withLock { $0.append("\(name) \(note)") }
                inside.wrappingSubtract(1, ordering: .relaxed)
            }
        }
        for observer in observers { device.paymentQueue.add(observer) }
        device.paymentQueue.add(observers[0])  // again: it moves to the end
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        let names = heard.withLock { $0.map { String($0.prefix(1)) } }
        #expect(names == ["b", "c", "a", "b", "c", "a"])
    }

    @Test func `observers are not kept alive`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        weak var gone: Witness?
        do {
            let witness = Witness()
            gone = witness
            device.paymentQueue.add(witness)
            await device.settle()
        }
        #expect(gone == nil)
        #expect(device.paymentQueue.transactionObservers.isEmpty)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(try await phone.charges.count == 1)
    }

    @Test func `a payment that is added before the first observer is kept, even over a relaunch`() async throws {
        let phone = try await TestPhone()
        do {
            let device = try phone.launch()
            device.paymentQueue.add(TestPhone.payment(credits))
            await device.settle()
            #expect(phone.line.calls.isEmpty)
        }
        let witness = Witness()
        let device = try phone.launch()
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia))
        device.paymentQueue.add(witness)
        await device.settle()
        #expect(try await phone.charges.map(\.productID) == [credits, MonkeyShopProduct.sepia])
        #expect(
            witness.notes == [
                .updated(.purchasing, credits.rawValue), .updated(.purchasing, MonkeyShopProduct.sepia.rawValue),
                .updated(.purchased, credits.rawValue), .updated(.purchased, MonkeyShopProduct.sepia.rawValue),
            ]
        )
    }

    @Test func `one transaction is one object through all its states, and finishing it under way changes nothing`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let objects = Mutex<Set<ObjectIdentifier>>([])
        let witness = Witness { [queue = device.paymentQueue] _ in
            for transaction in queue.transactions {
                objects.withLock { _ = $0.insert(ObjectIdentifier(transaction)) }
                if transaction.transactionState == .purchasing { queue.finishTransaction(transaction) }
            }
        }
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(objects.withLock { $0.count } == 1)
        #expect(device.paymentQueue.transactions.map(\.transactionState) == [.purchased])
        device.paymentQueue.finishTransaction(SKPaymentTransaction())
        await device.settle()
        #expect(device.paymentQueue.transactions.count == 1)
    }
}
