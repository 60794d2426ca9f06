import Foundation
import GRDB
import PrivateFiles
import PurchaseModel
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing
import Wire

@testable import OpenStoreKit

/// Tests of the order of a device's work, and of work that fails.
@Suite struct EngineTests {
    private let credits = SampleProduct.credits5

    @Test(.timeLimit(.minutes(10)))
    func `a restored transaction that the app finishes while its page waits for the receipt is delivered once`() async throws {
        let phone = try await Phone()
        try await phone.buy(SampleProduct.sepia)
        let (device, recorder) = try await phone.launch(finishing: true)
        let receipts = Mutex(0)
        let gate = Gate()
        phone.transport.set { path in
            guard path == DeviceEndpoints.receipt.template else { return true }
            let isFirst = receipts.withLock { number in
                number += 1
                return number == 1
            }
            if isFirst { await gate.wait() }
            return true
        }
        device.paymentQueue.restoreCompletedTransactions()
        try await eventually { receipts.withLock { $0 } == 1 }
        device.wake()
        // The synchronization delivers the transaction, the app finishes it, and the store acknowledges.
        try await eventually { recorder.identifiers.count == 1 }
        try await eventually { try phone.records().isEmpty }
        gate.open()
        await device.waitUntilIdle()
        #expect(recorder.identifiers.count == 1)
    }

    @Test func `a launch with a full disk shows the transactions of the journal`() async throws {
        let phone = try await Phone()
        try await phone.buy(credits, finishing: false)
        // A purchase call whose sheet was open when the app was killed.
        let request = PaymentRequest(id: "call", productID: credits, quantity: 1, username: nil, product: nil, isPurchaseCall: true)
        let record = PaymentQueueRecord(request, sequence: 100, account: phone.account)
        try phone.execute(
            "INSERT INTO payment (id, transactionID, record) VALUES ('call', NULL, ?)", [PaymentJournalRecord.write(record)])
        try phone.execute("CREATE TRIGGER full BEFORE DELETE ON payment BEGIN SELECT RAISE(ABORT, 'full'); END")
        phone.transport.set(offline: true)
        let (device, _) = try await phone.launch(finishing: false)
        #expect(device.paymentQueue.transactions.count == 1)
    }

    @Test func `other work of the engine runs between the commands that wait`() async throws {
        let phone = try await Phone()
        phone.transport.set(offline: true)
        let device = try phone.launch { $0.interface = UnresponsiveUser() }
        await device.waitUntilIdle()
        for _ in 0..<500 { device.paymentQueue.add(Phone.payment(credits)) }
        var counts: Set<Int> = []
        try await eventually {
            let count = await device.engine.count()
            counts.insert(count)
            return count == 500
        }
        // If the engine carried out all waiting commands at once, other work would see it before and afterward only.
        #expect(counts.count > 20)
    }

    @Test func `an interface that blocks its thread does not delay the engine`() async throws {
        let phone = try await Phone()
        let interface = BlockingInterface(phone.credentials)
        let device = try phone.launch { $0.interface = interface }
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        try await device.signIn(phone.credentials)
        device.paymentQueue.add(Phone.payment(credits))
        try await eventually { interface.isConfirming.withLock { $0 } }
        _ = await device.engine.request { $0.queue.machine.records.count }
        #expect(interface.isConfirming.withLock { $0 })
        interface.answer.signal()
        await device.waitUntilIdle()
        withExtendedLifetime(recorder) {}
    }

    @Test func `work that a call requests inherits neither its gesture nor its reason for a sign-in`() async throws {
        let phone = try await Phone()
        let interface = TaskLocalInterface()
        let device = try phone.launch { $0.interface = interface }
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        try await device.signIn(phone.credentials)
        await device.waitUntilIdle()
        // The synchronization that the call requests waits at its first request.
        let gate = Gate()
        let isWaiting = Mutex(false)
        phone.transport.set { path in
            guard path == DeviceEndpoints.unfinished.template else { return true }
            isWaiting.withLock { $0 = true }
            await gate.wait()
            return true
        }
        async let synchronization: Void = Device.withUserGesture { try await device.synchronize() }
        try await eventually { isWaiting.withLock { $0 } }
        device.paymentQueue.add(Phone.payment(credits))
        gate.open()
        try await synchronization
        await device.waitUntilIdle()
        #expect(interface.values.withLock { $0 } == ["false purchase"])
        withExtendedLifetime(recorder) {}
    }
}

extension PaymentEngine {
    /// The number of payments, read without the inbox.
    fileprivate func count() -> Int { queue.machine.records.count }
}

/// A gate at which tasks wait until it opens.
private final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }

    func wait() async { for await _ in stream {} }
}

/// An interface whose confirmation sheet blocks its thread.
private final class BlockingInterface: StoreInterface {
    let isConfirming = Mutex(false)
    let answer = DispatchSemaphore(value: 0)
    private let credentials: Credentials

    init(_ credentials: Credentials) { self.credentials = credentials }

    func signIn() async -> Credentials? { credentials }

    func confirm(_ sheet: ConfirmationSheet) async -> Bool {
        isConfirming.withLock { $0 = true }
        block()
        return false
    }

    private func block() { answer.wait() }
}

/// An interface that records the task-local values of its confirmation sheets.
private final class TaskLocalInterface: StoreInterface {
    let values = Mutex<[String]>([])

    func signIn() async -> Credentials? { nil }

    func confirm(_ sheet: ConfirmationSheet) async -> Bool {
        values.withLock { $0.append("\(Device.isUserGesture) \(SignInReason.current)") }
        return true
    }
}
