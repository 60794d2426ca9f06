import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing
import Wire

@testable import OpenStoreKit

/// A device that reconnects after it lost the event stream.
@Suite(.timeLimit(.minutes(10))) struct EventStreamReconnectTests {
    private typealias Events = AsyncThrowingStream<StoreEvent, any Error>

    /// Launches a signed-in device that receives `streams` in order; nil is a failed connection. `chance` sets the jitter of its waits.
    private func launchListening(_ phone: Phone, chance: Double = 0, _ streams: [Events?]) async throws -> Device {
        _ = try await phone.launchSignedIn()
        phone.transport.script(streams: streams)
        let device = try Device(
            phone.configuration, transport: phone.transport, retryPolicy: RetryPolicy { chance }, clock: phone.clock, logger: .silent)
        await device.engine.request { _ in }
        await device.waitUntilIdle()
        return device
    }

    /// Ends `times` waits, one after the other, and waits for the next one.
    private func endSleeps(_ phone: Phone, times: Int) async {
        for _ in 0..<times { await phone.clock.endSleeps() }
        await phone.clock.waitForSleep()
    }

    private func seconds(_ phone: Phone) -> [Double] { phone.clock.sleepDurations.map { $0 / .seconds(1) } }

    private let event = StoreEvent(id: 1, date: Timestamp(milliseconds: 0), kind: .renewal)

    @Test(arguments: [0, 0.5, 0.99])
    func `waits between reconnects double up to five minutes, with up to half as jitter`(_ chance: Double) async throws {
        let phone = try await Phone()
        let device = try await launchListening(phone, chance: chance, Array(repeating: nil, count: 12))
        await endSleeps(phone, times: 11)
        let bounds: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
        #expect(zip(seconds(phone), bounds).allSatisfy { abs($0 - $1 * (0.5 + chance / 2)) < 0.01 })
        #expect(phone.clock.sleepDurations.count == 12)
        withExtendedLifetime(device) {}
    }

    @Test func `a stream that delivered an event or lasted a minute resets the waits, and any other stream does not`()
        async throws
    {
        let phone = try await Phone()
        let silent = Events.makeStream()
        silent.continuation.finish()
        let eventful = Events.makeStream()
        eventful.continuation.yield(event)
        eventful.continuation.finish(throwing: WireClientError.unreachable)
        let lasting = Events.makeStream()
        let device = try await launchListening(phone, [nil, silent.stream, nil, eventful.stream, nil, lasting.stream, nil])
        await endSleeps(phone, times: 4)
        #expect(seconds(phone) == [0.5, 1, 2, 0.5, 1])
        // The device listens once it has requested missed transactions.
        await phone.retry(device)
        phone.clock.advance(by: .seconds(60))
        lasting.continuation.finish()
        await phone.clock.waitForSleep()
        #expect(seconds(phone) == [0.5, 1, 2, 0.5, 1, 0.5])
    }

    @Test func `a device requests unfinished transactions for each new stream and each event`() async throws {
        let phone = try await Phone()
        let stream = Events.makeStream()
        let device = try await launchListening(phone, [nil, stream.stream])
        let before = phone.transport.count(DeviceEndpoints.unfinished)
        await phone.retry(device)
        #expect(phone.transport.count(DeviceEndpoints.unfinished) == before + 1)
        let calls = phone.transport.calls.count
        stream.continuation.yield(event)
        await phone.transport.waitForCalls(exceeding: calls)
        await device.waitUntilIdle()
        #expect(phone.transport.count(DeviceEndpoints.unfinished) == before + 2)
    }

    @Test func `the event stream of a session that the store refuses is closed`() async throws {
        let phone = try await Phone()
        let stream = Events.makeStream()
        let isClosed = Mutex(false)
        stream.continuation.onTermination = { _ in isClosed.withLock { $0 = true } }
        let device = try await launchListening(phone, [stream.stream])
        phone.transport.fail(DeviceEndpoints.products, .refused(status: 401))
        #expect(try await device.products([SampleProduct.sepia]).products.count == 1)
        #expect(device.account == nil)
        try await eventually { isClosed.withLock { $0 } }
    }

    @Test func `lost streams do not count as failed attempts of the payment queue`() async throws {
        let phone = try await Phone()
        let device = try await launchListening(phone, Array(repeating: nil, count: 4))
        let observer = RecordingObserver()
        device.paymentQueue.add(observer)
        await endSleeps(phone, times: 3)
        await device.waitUntilIdle()
        phone.transport.set(offline: true)
        device.paymentQueue.add(Phone.payment(SampleProduct.sepia))
        await device.waitUntilIdle()
        try await eventually { phone.clock.sleepDurations.count >= 5 }
        // The queue's wait follows its first failure; the event stream's wait follows its fourth.
        #expect(seconds(phone) == [0.5, 1, 2, 4, 0.5])
    }

    @Test func `an event makes a waiting queue retry at once, and the backoff continues`() async throws {
        let phone = try await Phone()
        let stream = Events.makeStream()
        let device = try await launchListening(phone, [stream.stream])
        let observer = RecordingObserver()
        device.paymentQueue.add(observer)
        await device.waitUntilIdle()
        phone.transport.set(offline: true)
        device.paymentQueue.add(Phone.payment(SampleProduct.sepia))
        await device.waitUntilIdle()
        for _ in 1...2 { await phone.retry(device) }
        #expect(seconds(phone) == [0.5, 1, 2])
        let calls = phone.transport.calls.count
        stream.continuation.yield(event)
        await phone.transport.waitForCalls(exceeding: calls)
        await device.waitUntilIdle()
        await phone.clock.waitForSleep()
        #expect(seconds(phone) == [0.5, 1, 2, 4])
        phone.transport.set(offline: false)
        stream.continuation.yield(event)
        await phone.transport.waitForCalls(exceeding: phone.transport.calls.count)
        await device.waitUntilIdle()
        #expect(try await phone.charges.count == 1)
    }
}
