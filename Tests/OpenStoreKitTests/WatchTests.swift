import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProtocol
import StoreKit
import StoreTestSupport
import Testing
import WireClient

@testable import OpenStoreKit

/// A device whose stream of events is lost, and which listens again.
@Suite(.timeLimit(.minutes(2))) struct WatchTests {
    private typealias Events = AsyncThrowingStream<StoreEvent, any Error>

    /// A phone that is signed in, and listens to what a test has said beforehand, with waits that are so far by chance.
    private func listening(_ phone: TestPhone, chance: Double = 0, _ streams: [Events?]) async throws -> Device {
        let first = try phone.launch()
        try await first.signIn(Credentials(account: phone.account, password: "ladder"))
        phone.line.script(streams: streams)
        let device = try Device(
            phone.configuration, transport: phone.line, retryPolicy: RetryPolicy { chance }, clock: phone.clock, logger: .silent)
        await device.engine.ready()
        await device.settle()
        return device
    }

    /// Ends so many waits, one after the other.
    private func wake(_ phone: TestPhone, times: Int) async {
        for _ in 0..<times { await phone.clock.wake() }
        await phone.clock.asleep()
    }

    private func seconds(_ phone: TestPhone) -> [Double] { phone.clock.slept.map { $0 / .seconds(1) } }

    private let event = StoreEvent(id: 1, date: Timestamp(milliseconds: 0), kind: .renewal)

    @Test(arguments: [0, 0.5, 0.99])
    func `the waits between lost streams double to five minutes, half of them by chance`(_ chance: Double) async throws {
        let phone = try await TestPhone()
        let device = try await listening(phone, chance: chance, Array(repeating: nil, count: 12))
        await wake(phone, times: 11)
        let bounds: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
        #expect(zip(seconds(phone), bounds).allSatisfy { abs($0 - $1 * (0.5 + chance / 2)) < 0.01 })
        #expect(phone.clock.slept.count == 12)
        withExtendedLifetime(device) {}
    }

    @Test func `a stream that has said something, or has lasted a minute, starts the waits anew; one that did neither does not`()
        async throws
    {
        let phone = try await TestPhone()
        let silent = Events.makeStream()
        silent.continuation.finish()
        let speaking = Events.makeStream()
        speaking.continuation.yield(event)
        speaking.continuation.finish(throwing: WireClientError.unreachable)
        let lasting = Events.makeStream()
        let device = try await listening(phone, [nil, silent.stream, nil, speaking.stream, nil, lasting.stream, nil])
        await wake(phone, times: 4)
        #expect(seconds(phone) == [0.5, 1, 2, 0.5, 1])
        // It has asked for what it missed, so it listens.
        await phone.retry(device)
        phone.clock.advance(by: .seconds(60))
        lasting.continuation.finish()
        await phone.clock.asleep()
        #expect(seconds(phone) == [0.5, 1, 2, 0.5, 1, 0.5])
    }

    @Test func `each new stream has the device ask for what it missed, and so does what is said in it`() async throws {
        let phone = try await TestPhone()
        let stream = Events.makeStream()
        let device = try await listening(phone, [nil, stream.stream])
        let before = phone.line.count(DeviceEndpoints.unfinished)
        await phone.retry(device)
        #expect(phone.line.count(DeviceEndpoints.unfinished) == before + 1)
        let calls = phone.line.calls.count
        stream.continuation.yield(event)
        await phone.line.untilCalls(exceed: calls)
        await device.settle()
        #expect(phone.line.count(DeviceEndpoints.unfinished) == before + 2)
    }

    @Test func `lost streams are no failed attempts of the queue`() async throws {
        let phone = try await TestPhone()
        let device = try await listening(phone, Array(repeating: nil, count: 4))
        let observer = Witness()
        device.paymentQueue.add(observer)
        await wake(phone, times: 3)
        await device.settle()
        #expect(await device.engine.attempt == 0)
        phone.line.set(away: true)
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia))
        await device.settle()
        while phone.clock.slept.count < 5 { await Task.yield() }
        // The queue waits as after its first failure, while the other waits after its fourth.
        #expect(seconds(phone) == [0.5, 1, 2, 4, 0.5])
    }

    @Test func `what is said while the queue waits has it try at once, and its waits go on where they were`() async throws {
        let phone = try await TestPhone()
        let stream = Events.makeStream()
        let device = try await listening(phone, [stream.stream])
        let observer = Witness()
        device.paymentQueue.add(observer)
        await device.settle()
        phone.line.set(away: true)
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia))
        await device.settle()
        for _ in 1...2 { await phone.retry(device) }
        #expect(seconds(phone) == [0.5, 1, 2])
        let calls = phone.line.calls.count
        stream.continuation.yield(event)
        await phone.line.untilCalls(exceed: calls)
        await device.settle()
        await phone.clock.asleep()
        #expect(seconds(phone) == [0.5, 1, 2, 4])
        phone.line.set(away: false)
        stream.continuation.yield(event)
        await phone.line.untilCalls(exceed: phone.line.calls.count)
        await device.settle()
        #expect(try await phone.charges.count == 1)
    }
}
